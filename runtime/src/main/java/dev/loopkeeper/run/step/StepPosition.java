package dev.loopkeeper.run.step;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * The position of a step in its run.
 *
 * @param index of the step within its iteration or attempt, from 0
 */
public record StepPosition(StepKind kind, String phase, Optional<Integer> iteration, Optional<String> item, int index) {
    /** The position of the one step of a phase, or of one beside its iterations. */
    public static StepPosition ofPhase(StepKind kind, String phase) {
        return new StepPosition(kind, phase, Optional.empty(), Optional.empty(), 0);
    }

    /** The unit of work that contains the step: the item, or {@code iteration-3}; absent in tasks and gates. */
    @JsonIgnore
    public Optional<String> unit() {
        return item.or(() -> iteration.map(number -> "iteration-" + number));
    }

    /** Whether the step is part of an iteration or an attempt. */
    @JsonIgnore
    public boolean isWork() {
        return kind == StepKind.LOOP || kind == StepKind.CHECK || kind == StepKind.ITEM;
    }

    /** Identifies the position, e.g. {@code item/frames//f1/0}. */
    @JsonIgnore
    public String key() {
        return kind.wire() + "/" + phase + "/" + iteration.map(String::valueOf).orElse("") + "/" + item.orElse("") + "/"
                + index;
    }
}
