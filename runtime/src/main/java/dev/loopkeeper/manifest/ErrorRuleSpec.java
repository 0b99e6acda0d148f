package dev.loopkeeper.manifest;

/**
 * A row of the table of errors that a manifest adds; it is compared before those that come with Loopkeeper.
 *
 * @param kind what it is, e.g. {@code billing}
 * @param scope where it looks: {@code says}, {@code code} or {@code status}
 * @param pattern a regular expression of RE2, a code in any spelling, or a status such as {@code 419} or {@code 5xx}
 * @param source who prints such an error, for people; may be empty
 */
public record ErrorRuleSpec(String kind, String scope, String pattern, String source) {}
