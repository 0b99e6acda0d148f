package dev.loopkeeper.store;

import dev.loopkeeper.contract.CodedFailure;

/** The policy has another version than the caller expected. Nothing was changed. */
public final class PolicyChangedException extends CodedFailure {
    /** Failure code on the event bus. */
    public static final int CODE = 413;

    /** Names the version that holds. */
    public PolicyChangedException(long version) {
        super(
                CODE,
                "the policy has changed and has version " + version + " now; read it again, and repeat the change",
                null);
    }
}
