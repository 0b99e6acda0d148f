package dev.loopkeeper.contract;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.List;

/**
 * A live agent, or a git process of a run with what it started, which a stop of the run ends.
 *
 * @param role name of the agent, e.g. {@code dev}; {@link #GIT} for a git process
 * @param command its arguments joined by blanks, cut to 400 characters
 * @param state {@code running} or {@code stopping}
 */
@JsonPropertyOrder({"runId", "stepId", "role", "pid", "processGroup"})
public record LiveProcess(
        String runId, String stepId, String role, long pid, Instant startedAt, String command, String state) {
    public static final String GIT = "(git)";
    public static final String RUNNING = "running";
    public static final String STOPPING = "stopping";

    private static final int COMMAND_LENGTH = 400;

    /** Returns the group and session that it leads. */
    @JsonProperty
    public long processGroup() {
        return pid;
    }

    public static LiveProcess of(
            String runId, String stepId, String role, long pid, Instant startedAt, List<String> words, String state) {
        String command = String.join(" ", words);
        return new LiveProcess(
                runId,
                stepId,
                role,
                pid,
                startedAt,
                command.length() <= COMMAND_LENGTH ? command : command.substring(0, COMMAND_LENGTH) + "…",
                state);
    }
}
