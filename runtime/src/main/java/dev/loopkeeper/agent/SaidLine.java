package dev.loopkeeper.agent;

import dev.loopkeeper.json.WireName;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of the readable view of a log, e.g. {@code {"offset": 5120, "at": null, "kind": "tool", "text": "Bash: make
 * test"}}.
 *
 * @param offset offset of its source in the raw log; several lines may have the same offset
 * @param at time, if the agent's output has one
 * @param text one line without escape sequences, at most {@value SaidLines#LONGEST} characters
 */
public record SaidLine(long offset, Optional<Instant> at, Kind kind, String text) {
    /** The kind of a line. */
    public enum Kind implements WireName {
        /** The agent's own text; every line of plain text. */
        SAYS,
        /** A tool call with its most important input. */
        TOOL,
        /** The result of a tool, cut to one line. */
        RESULT,
        /** Tokens, turns and cost. */
        USAGE,
        /** An error that the agent reports, or its own retry. */
        ERROR;

        @Override
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
