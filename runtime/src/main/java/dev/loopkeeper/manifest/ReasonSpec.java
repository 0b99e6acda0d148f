package dev.loopkeeper.manifest;

/**
 * A terminal reason code that a manifest declares and a signal's {@code terminal.reasonCode} may name.
 *
 * @param code lower case words joined by dashes, e.g. {@code licence-expired}; not one of the built-in codes
 * @param category {@code capacity}, {@code retryable} or {@code fatal}
 * @param advice what a person should do, shown with the ending; may be empty
 */
public record ReasonSpec(String code, String category, String advice) {}
