package dev.loopkeeper.embed;

import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;

/**
 * Defines the role of a {@link Loopkeeper} that shares its store with others. A type between our own modules.
 *
 * @param ownership says which runs it executes
 * @param routing routes commands to the other members
 * @param duties says when it performs the tasks that one member does for all
 * @param signalFiles says which run of all members uses a signal file
 */
public record Membership(Ownership ownership, RunRouting routing, Duties duties, SharedSignalFiles signalFiles) {
    /** Returns the membership of a sole user of the store. */
    static Membership alone() {
        return of(Ownership.sole(), RunRouting.HERE, Duties.sole(), SharedSignalFiles.none());
    }

    public static Membership of(Ownership ownership, RunRouting routing, Duties duties, SharedSignalFiles signalFiles) {
        return new Membership(ownership, routing, duties, signalFiles);
    }
}
