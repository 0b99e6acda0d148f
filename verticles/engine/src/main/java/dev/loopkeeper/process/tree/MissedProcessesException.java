package dev.loopkeeper.process.tree;

/** Whether anything of a tree lives is not known: in each look somebody ended before he was looked at. */
public final class MissedProcessesException extends IllegalStateException {
    MissedProcessesException() {
        super(
                "processes of this machine end before they can be looked at, and each may be one of its. Find out what starts"
                        + " them (ps, top) and end it; an agent with containment: namespace leaves none");
    }
}
