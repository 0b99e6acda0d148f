package dev.loopkeeper.embed;

import dev.loopkeeper.contract.run.RunRouting;
import dev.loopkeeper.store.Ownership;

/** What a {@link Loopkeeper} that shares its store with others goes by. An interface between our own modules. */
public interface Membership {
    /** Which runs it carries out. */
    Ownership ownership();

    /** Where commands to the others go. */
    RunRouting routing();

    /** It has the store for itself. */
    static Membership alone() {
        return of(Ownership.sole(), RunRouting.HERE);
    }

    static Membership of(Ownership ownership, RunRouting routing) {
        return new Membership() {
            @Override
            public Ownership ownership() {
                return ownership;
            }

            @Override
            public RunRouting routing() {
                return routing;
            }
        };
    }
}
