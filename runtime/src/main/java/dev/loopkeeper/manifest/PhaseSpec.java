package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** A phase of a run; phases run in order. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = TaskPhase.class, name = "task"),
    @JsonSubTypes.Type(value = LoopPhase.class, name = "loop"),
    @JsonSubTypes.Type(value = EachPhase.class, name = "each"),
    @JsonSubTypes.Type(value = GatePhase.class, name = "gate")
})
public sealed interface PhaseSpec permits TaskPhase, LoopPhase, EachPhase, GatePhase {
    /** Unique in the manifest, {@code [A-Za-z0-9][A-Za-z0-9_-]*}, at most 64 characters, e.g. {@code build}. */
    String name();

    /** Whether a failure in this phase ends the run; default true. */
    boolean critical();

    /** The manifest key of this kind of phase: {@code task}, {@code loop}, {@code each} or {@code gate}. */
    String kind();

    /** The agents that it launches, in order. */
    List<String> agents();
}
