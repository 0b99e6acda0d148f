package dev.loopkeeper.embed;

/** What the futures of {@link Loopkeeper} fail with when nothing is broken and the caller can do something about it. */
public abstract sealed class LoopkeeperException extends RuntimeException
        permits RunRefusedException, InvalidManifestException, LoopkeeperClosedException {
    LoopkeeperException(String message) {
        super(message);
    }
}
