package dev.loopkeeper.process.tree;

/** Reports that a process of a tree may live: in each scan a process ended before it was read. */
public final class MissedProcessesException extends IllegalStateException {
    MissedProcessesException() {
        super(
                "processes of this machine end before they can be read, and each may belong to the step. Find out what starts"
                        + " them (ps, top) and end it; agents with containment: namespace are not affected");
    }
}
