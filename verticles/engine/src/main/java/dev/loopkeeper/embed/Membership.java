package dev.loopkeeper.embed;

import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;

/**
 * Defines the role of a {@link Loopkeeper} that shares its store with others. An interface between our own modules.
 */
public interface Membership {
    /** Says which runs it executes. */
    Ownership ownership();

    /** Routes commands to the other members. */
    RunRouting routing();

    /** Says when it performs the tasks that one member does for all. */
    Duties duties();

    /** Says which run of all members uses a signal file. */
    SharedSignalFiles signalFiles();

    /** Returns the membership of a sole user of the store. */
    static Membership alone() {
        return of(Ownership.sole(), RunRouting.HERE, Duties.sole(), SharedSignalFiles.none());
    }

    static Membership of(Ownership ownership, RunRouting routing, Duties duties, SharedSignalFiles signalFiles) {
        return new Membership() {
            @Override
            public Ownership ownership() {
                return ownership;
            }

            @Override
            public RunRouting routing() {
                return routing;
            }

            @Override
            public Duties duties() {
                return duties;
            }

            @Override
            public SharedSignalFiles signalFiles() {
                return signalFiles;
            }
        };
    }
}
