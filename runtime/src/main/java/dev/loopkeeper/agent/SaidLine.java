package dev.loopkeeper.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.json.WireName;
import java.time.Instant;
import java.util.Optional;

/**
 * A line of the readable view of a log, e.g. {@code {"offset": 5120, "at": null, "kind": "tool", "text": "Bash: make
 * test"}}.
 *
 * @param offset offset of its source in the raw log; several lines may have the same offset
 * @param at time, if the agent's output has one
 * @param text one line without escape sequences, at most {@value SaidLines#LONGEST} characters
 * @param output all lines of a tool's result, at most {@value SaidLines#LONGEST_OUTPUT} bytes, of which the end is kept;
 *     absent when the result is one line
 */
public record SaidLine(
        long offset,
        Optional<Instant> at,
        Kind kind,
        String text,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> output) {

    static SaidLine says(long offset, String text) {
        return new SaidLine(offset, Optional.empty(), Kind.SAYS, text, Optional.empty());
    }

    /** The line as if read from this offset. */
    public SaidLine at(long other) {
        return new SaidLine(other, at, kind, text, output);
    }

    /** The kind of a line. */
    public enum Kind implements WireName {
        /** The agent's own text; every line of plain text. */
        SAYS,
        /** A tool call with its most important input. */
        TOOL,
        /** The result of a tool: its first line, and its last line, which usually says what happened. */
        RESULT,
        /** Tokens, turns and cost. */
        USAGE,
        /** An error that the agent reports, or its own retry. */
        ERROR;
    }
}
