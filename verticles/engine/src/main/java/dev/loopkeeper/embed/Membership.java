package dev.loopkeeper.embed;

import dev.loopkeeper.contract.run.RunRouting;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.Ownership;

/** What a {@link Loopkeeper} that shares its store with others goes by. An interface between our own modules. */
public interface Membership {
    /** Which runs it carries out. */
    Ownership ownership();

    /** Where commands to the others go. */
    RunRouting routing();

    /** What one of them does for all. */
    Duties duties();

    /** It has the store for itself. */
    static Membership alone() {
        return of(Ownership.sole(), RunRouting.HERE, Duties.sole());
    }

    static Membership of(Ownership ownership, RunRouting routing, Duties duties) {
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
        };
    }
}
