package dev.loopkeeper.manifest;

import dev.loopkeeper.step.WordPattern;

/**
 * A line of the table of errors of one's own, looked at before those that come with Loopkeeper.
 *
 * @param kind what it is, e.g. {@code billing}; {@code ordinary} for a line of output that is no error
 * @param scope where it looks: {@code says}, {@code code} or {@code status}
 * @param pattern words as {@link WordPattern} has them, a code in any spelling, or a status such as {@code 419} or {@code 5xx}
 * @param source who says so, for people; may be empty
 */
public record ErrorRuleSpec(String kind, String scope, String pattern, String source) {}
