package dev.loopkeeper.embed;

/** Fails futures of {@link Loopkeeper} where nothing is broken and the caller can react. */
public abstract sealed class LoopkeeperException extends RuntimeException
        permits RunRefusedException, InvalidManifestException, LoopkeeperClosedException {
    LoopkeeperException(String message) {
        super(message);
    }
}
