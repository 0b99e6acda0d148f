package dev.loopkeeper.run.progress;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The progress of the current phase. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Work.Single.class, name = "single"),
    @JsonSubTypes.Type(value = LoopWork.class, name = "loop"),
    @JsonSubTypes.Type(value = EachWork.class, name = "each"),
    @JsonSubTypes.Type(value = Work.None.class, name = "none")
})
public sealed interface Work permits Work.None, Work.Single, LoopWork, EachWork {
    /** Between phases. */
    record None() implements Work {}

    /**
     * A task or a gate: one step, launched until it decides.
     *
     * @param passed whether the task's step succeeded while the run was held back for another reason
     */
    record Single(boolean passed) implements Work {}
}
