package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.OwnRetry;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Recognises agents' messages about their own retries: {@code system/api_retry} of Claude Code 2.1, {@code
 * Reconnecting... 2/5 (cause)} of Codex 0.169, {@code Attempt 3 failed with status 429} on the standard error of Gemini
 * CLI 0.61. opencode 1.18 reports none.
 */
public final class OwnRetryWords {
    private static final int LONGEST_LINE = 4096;
    private static final Pattern RECONNECTING =
            Pattern.compile("^Reconnecting\\.{3}(?: (\\d{1,4})/(\\d{1,4}))? ?\\(?([^)]*+)");
    private static final Pattern ATTEMPT =
            Pattern.compile("^Attempt (\\d{1,4}) failed(?: with status (\\d{3}))?[.:]? ?(.*+)$");

    private OwnRetryWords() {}

    /**
     * Whether a line only reports a retry, so that it is not progress.
     *
     * @param line of standard output or standard error, without its line feed
     */
    public static boolean isOnlyThat(OutputDialect dialect, String line) {
        if (line.length() > LONGEST_LINE) {
            return false;
        }
        return switch (dialect) {
            case CLAUDE_CODE ->
                line.contains("api_retry")
                        && JsonFields.object(line)
                                .flatMap(OwnRetryWords::claudeCode)
                                .isPresent();
            case CODEX ->
                line.contains("Reconnecting")
                        && JsonFields.object(line)
                                .filter(event -> event.path("type").asText().equals("error"))
                                .flatMap(event -> codex(event.path("message").asText()))
                                .isPresent();
            case GEMINI -> standardError(line).isPresent();
            default -> false;
        };
    }

    /** An event of Claude Code. */
    static Optional<OwnRetry> claudeCode(JsonNode event) {
        if (!event.path("type").asText().equals("system")
                || !event.path("subtype").asText().equals("api_retry")) {
            return Optional.empty();
        }
        String cause = Stream.of("error_status", "error")
                .map(name -> event.path(name))
                .filter(value -> !value.isNull()
                        && value.isValueNode()
                        && !value.asText().isBlank())
                .map(JsonNode::asText)
                .collect(Collectors.joining(" "));
        OptionalLong next = JsonFields.count(event, "retry_delay_ms");
        return Optional.of(new OwnRetry(cause, integer(event, "attempt"), integer(event, "max_retries"), next));
    }

    private static OptionalInt integer(JsonNode event, String name) {
        JsonNode value = event.path(name);
        return value.canConvertToInt() && value.isNumber() ? OptionalInt.of(value.intValue()) : OptionalInt.empty();
    }

    /** The message of a top-level error of Codex. */
    static Optional<OwnRetry> codex(String message) {
        Matcher matcher = RECONNECTING.matcher(message.length() > LONGEST_LINE ? "" : message.strip());
        if (!matcher.find()) {
            return Optional.empty();
        }
        String cause =
                matcher.group(3).isBlank() ? "reconnecting" : matcher.group(3).strip();
        return Optional.of(
                new OwnRetry(cause, number(matcher.group(1)), number(matcher.group(2)), OptionalLong.empty()));
    }

    /** A line of Gemini CLI's standard error. */
    static Optional<OwnRetry> standardError(String line) {
        Matcher matcher = ATTEMPT.matcher(line.length() > LONGEST_LINE ? "" : line.strip());
        if (!matcher.find()) {
            return Optional.empty();
        }
        String cause = Stream.of(matcher.group(2), matcher.group(3))
                .filter(words -> words != null && !words.isBlank())
                .collect(Collectors.joining(" "));
        return Optional.of(new OwnRetry(cause, number(matcher.group(1)), OptionalInt.empty(), OptionalLong.empty()));
    }

    private static OptionalInt number(String digits) {
        return digits == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
    }
}
