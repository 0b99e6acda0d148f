package dev.loopkeeper.manifest;

/** An ordered part of a run. */
public sealed interface PhaseSpec permits TaskPhase, LoopPhase, EachPhase, GatePhase {
    /** Unique in the manifest, {@code [A-Za-z0-9][A-Za-z0-9_-]*}, at most 64 characters, e.g. {@code build}. */
    String name();

    /** Whether a failure in this phase ends the run; default true. */
    boolean critical();

    /** The key that names the kind in the manifest: {@code task}, {@code loop}, {@code each} or {@code gate}. */
    String kind();
}
