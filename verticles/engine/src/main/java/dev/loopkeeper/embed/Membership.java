package dev.loopkeeper.embed;

import dev.loopkeeper.contract.run.RunRouting;
import dev.loopkeeper.store.Ownership;

/**
 * What a {@link Loopkeeper} that shares its store with others goes by. An interface between our own modules.
 *
 * @param ownership which runs it carries out
 * @param routing where commands to the others go
 */
public record Membership(Ownership ownership, RunRouting routing) {
    /** It has the store for itself. */
    public static final Membership ALONE = new Membership(Ownership.sole(), RunRouting.HERE);
}
