package dev.loopkeeper.store;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.OptionalLong;

/** Port: the durable policy of all runs of a store. Fails as {@link EventStore} does. */
public interface PolicyStore {
    /** Returns the policy if its version is not this one. The version of a store without a policy is 0. */
    Future<Optional<StoredPolicy>> policyOtherThan(long version);

    /**
     * Replaces the policy, with the next version; the same text keeps the version. Empty, and without effect, if the
     * policy has another version than expected.
     */
    Future<Optional<StoredPolicy>> putPolicy(String json, OptionalLong expected);

    /**
     * A policy as it is stored.
     *
     * @param version rises by 1 with each change
     * @param json the document
     */
    record StoredPolicy(long version, String json) {
        /** The policy of a store to which none was applied. */
        public static final StoredPolicy NONE = new StoredPolicy(0, "{}");

        /** Returns what follows this policy when it is replaced by another text. */
        public StoredPolicy replacedBy(String other) {
            return json.equals(other) ? this : new StoredPolicy(version + 1, other);
        }
    }
}
