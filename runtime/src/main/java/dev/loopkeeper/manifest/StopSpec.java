package dev.loopkeeper.manifest;

import java.time.Duration;

/**
 * Defines how Loopkeeper stops an agent.
 *
 * @param signal POSIX name without SIG, one of TERM, INT, HUP, QUIT, USR1, USR2, KILL; default TERM
 * @param grace from this signal to KILL; zero or more, default 1500 ms
 */
public record StopSpec(String signal, Duration grace) {
    /** TERM, then KILL after 1500 ms. */
    public static final StopSpec DEFAULTS = new StopSpec("TERM", Duration.ofMillis(1500));
}
