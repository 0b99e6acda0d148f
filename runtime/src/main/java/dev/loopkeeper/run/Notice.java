package dev.loopkeeper.run;

import java.time.Instant;

/**
 * {@code notice}: worth knowing, changes nothing.
 *
 * @param code stable, e.g. {@code recovered}
 * @param message one sentence
 */
public record Notice(String code, String message) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return state;
    }
}
