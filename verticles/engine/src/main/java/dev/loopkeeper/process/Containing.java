package dev.loopkeeper.process;

/** Determines what keeps the processes of a step together. */
public enum Containing {
    /** Session, process group, descent and nonce. */
    SESSION("ignored TERM, had their own sessions or had lost their parents"),
    /** A control group of its own. */
    CGROUP("did all that and had cleared their environment"),
    /** A PID namespace of its own. */
    NAMESPACE("did all that and had cleared their environment");

    private final String hiding;

    Containing(String hiding) {
        this.hiding = hiding;
    }

    /** Describes how the processes of a trial try to hide. */
    public String hiding() {
        return hiding;
    }
}
