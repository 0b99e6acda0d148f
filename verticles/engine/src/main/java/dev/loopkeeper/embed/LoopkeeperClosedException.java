package dev.loopkeeper.embed;

/** Reports that the Loopkeeper, or the Vert.x that it was deployed into, has been closed. */
public final class LoopkeeperClosedException extends LoopkeeperException {
    LoopkeeperClosedException() {
        super("this Loopkeeper is closed");
    }
}
