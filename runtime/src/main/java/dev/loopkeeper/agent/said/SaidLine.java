package dev.loopkeeper.agent.said;

import dev.loopkeeper.json.WireName;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of the readable view of a log, e.g. {@code {"offset": 5120, "at": null, "kind": "tool", "text": "Bash: make test"}}.
 *
 * @param offset in the raw log of the first byte of what it was read from; several lines may have the same
 * @param at when, if the agent's output tells it
 * @param text one line without escape sequences, at most {@value SaidLines#LONGEST} characters
 */
public record SaidLine(long offset, Optional<Instant> at, Kind kind, String text) {
    /** What a line is. */
    public enum Kind implements WireName {
        /** The agent's own words; every line of plain text. */
        SAYS,
        /** A tool that it calls, with the input that tells most. */
        TOOL,
        /** What a tool answered, cut to one line. */
        RESULT,
        /** Tokens, turns and cost. */
        USAGE,
        /** An error that the agent reports, or a try of its own to overcome one. */
        ERROR;

        @Override
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
