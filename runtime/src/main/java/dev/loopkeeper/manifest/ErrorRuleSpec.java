package dev.loopkeeper.manifest;

/**
 * A manifest's own row of the error table; it is compared before the built-in rows.
 *
 * @param kind kind of error, e.g. {@code billing}
 * @param scope what it is compared with: {@code says}, {@code code} or {@code status}
 * @param pattern a regular expression of RE2, a code in any spelling, or a status such as {@code 419} or {@code 5xx}
 * @param source the program that prints such an error, for people; may be empty
 */
public record ErrorRuleSpec(String kind, String scope, String pattern, String source) {}
