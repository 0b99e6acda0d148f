package dev.loopkeeper.process;

/** What holds the processes of a step together. */
public enum Containing {
    /** Session, process group, descent and nonce. */
    SESSION("ignored TERM, had sessions of their own or had lost their parents"),
    /** A control group of its own. */
    CGROUP("did all that and had cleared their environment"),
    /** A PID namespace of its own. */
    NAMESPACE("did all that and had cleared their environment");

    private final String hiding;

    Containing(String hiding) {
        this.hiding = hiding;
    }

    /** What the processes of its trial do in order not to be found. */
    public String hiding() {
        return hiding;
    }
}
