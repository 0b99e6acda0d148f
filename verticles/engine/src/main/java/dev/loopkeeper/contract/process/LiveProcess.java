package dev.loopkeeper.contract.process;

import java.time.Instant;
import java.util.List;

/**
 * A live agent.
 *
 * @param role name of the agent, e.g. {@code dev}
 * @param processGroup group and session that it leads
 * @param command its arguments joined by blanks, cut to 400 characters
 * @param state {@code running} or {@code stopping}
 */
public record LiveProcess(
        String runId,
        String stepId,
        String role,
        long pid,
        long processGroup,
        Instant startedAt,
        String command,
        String state) {
    public static final String RUNNING = "running";
    public static final String STOPPING = "stopping";

    private static final int COMMAND_LENGTH = 400;

    public static LiveProcess of(
            String runId, String stepId, String role, long pid, Instant startedAt, List<String> words, String state) {
        String command = String.join(" ", words);
        return new LiveProcess(
                runId,
                stepId,
                role,
                pid,
                pid,
                startedAt,
                command.length() <= COMMAND_LENGTH ? command : command.substring(0, COMMAND_LENGTH) + "…",
                state);
    }
}
