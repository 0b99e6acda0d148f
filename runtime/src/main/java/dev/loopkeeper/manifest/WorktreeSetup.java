package dev.loopkeeper.manifest;

import java.time.Duration;

/**
 * Prepares each new worktree before its first step, written {@code isolation.setup: {command: [npm, ci]}}.
 *
 * @param command of the program
 * @param timeout after which its processes are ended and the run ends
 */
public record WorktreeSetup(CommandLine command, Duration timeout) {
    /** The limit of a setup that names none. */
    public static final Duration TIMEOUT = Duration.ofMinutes(10);
}
