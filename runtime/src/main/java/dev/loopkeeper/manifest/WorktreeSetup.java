package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.Optional;

/**
 * Prepares each new worktree before its first step, written {@code isolation.setup: {command: [npm, ci]}}.
 *
 * @param command of the program
 * @param timeout after which its processes are ended and the run ends
 * @param sandbox that of the phase; absent in a manifest
 */
public record WorktreeSetup(
        CommandLine command,
        Duration timeout,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<SandboxSpec> sandbox) {
    /** The limit of a setup that names none. */
    public static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** As a manifest declares it. */
    public WorktreeSetup(CommandLine command, Duration timeout) {
        this(command, timeout, Optional.empty());
    }

    /** Returns a copy in this sandbox. */
    public WorktreeSetup within(Optional<SandboxSpec> other) {
        return new WorktreeSetup(command, timeout, other);
    }
}
