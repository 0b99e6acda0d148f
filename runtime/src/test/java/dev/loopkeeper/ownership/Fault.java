package dev.loopkeeper.ownership;

/**
 * Something that goes wrong in a simulated cluster.
 *
 * @param node whose; for those of the database without a meaning
 * @param at real time in milliseconds
 * @param until when it is over
 */
record Fault(Kind kind, int node, long at, long until) {
    enum Kind {
        /** The agents live on, the warden too. */
        KILL_RUNTIME,
        /** Runtime and warden: the launchers receive the end of both and kill their agents. */
        KILL_BOTH,
        PAUSE_RUNTIME,
        /** Right after its next renewal was sent: the answer waits in the socket. */
        PAUSE_AFTER_RENEWAL,
        /** Right after its next look was sent. */
        PAUSE_AFTER_LOOK,
        /** Between its next check of the clock and what follows from it. */
        PAUSE_BEFORE_EFFECT,
        PAUSE_WARDEN,
        /** Started again within a second. */
        KILL_WARDEN,
        /** Not to be started again before the fault is over. */
        LOSE_WARDEN,
        /** With all processes, agents too. */
        PAUSE_MACHINE,
        /** The runtime ends in order and is started again. */
        LEAVE,
        CUT,
        /** Questions do not arrive. */
        CUT_TO_DATABASE,
        /** Answers do not arrive. */
        CUT_FROM_DATABASE,
        /** All sessions end. */
        DATABASE_DOWN,
        /** The database's wall clock is set forward by ten seconds, at the end back. */
        WALL_CLOCK_STEP;

        boolean ofProcesses() {
            return !ofLink() && this != DATABASE_DOWN && this != WALL_CLOCK_STEP;
        }

        boolean ofLink() {
            return this == CUT || this == CUT_TO_DATABASE || this == CUT_FROM_DATABASE;
        }
    }

    Fault later(long millis) {
        return new Fault(kind, node, at + millis, until + millis);
    }

    boolean sameVictim(Fault other) {
        boolean processes = kind.ofProcesses() && other.kind.ofProcesses() && node == other.node;
        boolean link = kind.ofLink() && other.kind.ofLink() && node == other.node;
        boolean database = kind == other.kind && !kind.ofProcesses() && !kind.ofLink();
        return processes || link || database;
    }
}
