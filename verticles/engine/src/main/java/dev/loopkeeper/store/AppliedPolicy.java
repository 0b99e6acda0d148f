package dev.loopkeeper.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.loopkeeper.manifest.read.PolicyReader;
import dev.loopkeeper.manifest.read.PolicyReading;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.store.PolicyStore.StoredPolicy;

/**
 * The policy that holds.
 *
 * @param document as it was written; an empty object for none
 * @param version 0 for none; rises by 1 with each change
 */
public record AppliedPolicy(Policy policy, JsonNode document, long version) {
    /** The policy of a store to which none was applied. */
    public static final AppliedPolicy NONE = new AppliedPolicy(Policy.NONE, JsonNodeFactory.instance.objectNode(), 0);

    /** Reads a stored policy. Fails with {@link StoreException} if this version does not understand it. */
    public static AppliedPolicy of(StoredPolicy stored) {
        if (PolicyReader.read(stored.json()) instanceof PolicyReading.Valid valid) {
            return new AppliedPolicy(valid.policy(), valid.document(), stored.version());
        }
        throw new StoreException(
                "version " + stored.version() + " of the policy cannot be read by this version of Loopkeeper;"
                        + " apply it again, or use the version that wrote it",
                null);
    }
}
