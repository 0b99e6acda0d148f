package dev.loopkeeper.embed;

/** An expected failure of {@link Loopkeeper}, to which the caller can react. */
public abstract sealed class LoopkeeperException extends RuntimeException
        permits RunRefusedException, InvalidManifestException, LoopkeeperClosedException {
    LoopkeeperException(String message) {
        super(message);
    }
}
