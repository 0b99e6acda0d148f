package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.json.WireName;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * A field of a resume that is useful for a run in its current state, for forms without rules of their own, e.g. {@code
 * {"field": "maxIterations", "type": "integer", "text": "more iterations than the 6 that are done", "minimum": 7,
 * "present": 6, "alternatives": [{"field": "feedback", "type": "text", "text": "what to do otherwise"}]}}.
 *
 * @param field its path in the body of a resume, e.g. {@code feedback} or {@code budget.costUsd}
 * @param text for people: what it is about, without a full stop
 * @param minimum the least value that helps; absent without a limit
 * @param present the current value; absent when unset
 * @param choices values to choose from
 * @param questions the agent's questions, which this text answers
 * @param actions the allowed actions that require this field
 * @param alternatives fields that can replace this one
 */
@RecordBuilder
public record ResumeField(
        String field,
        Type type,
        String text,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Number> minimum,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Number> present,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> choices,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> questions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResumeAction> actions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResumeField> alternatives)
        implements ResumeFieldBuilder.With {
    /** The type of a field's value. */
    public enum Type implements WireName {
        /** Free text. */
        TEXT,
        INTEGER,
        NUMBER,
        /** A duration such as {@code 2h}; its values are milliseconds. */
        DURATION,
        /** A switch; only true is useful. */
        BOOLEAN,
        /** One of its choices. */
        CHOICE,
        /** Some of its choices. */
        LIST;
    }

    /** Normalises numbers, so that equal values are equal. */
    public ResumeField {
        minimum = minimum.map(ResumeField::plain);
        present = present.map(ResumeField::plain);
    }

    private static Number plain(Number number) {
        return number instanceof Integer whole ? Long.valueOf(whole.longValue()) : number;
    }

    public static ResumeField of(String field, Type type, String text) {
        return new ResumeField(
                field, type, text, Optional.empty(), Optional.empty(), List.of(), List.of(), List.of(), List.of());
    }

    /**
     * The value that a form and a command offer: twice the present value, since the minimum would be used up at
     * once; for a threshold the minimum. Absent for other types than numbers.
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @JsonProperty(value = "suggested", access = JsonProperty.Access.READ_ONLY)
    public Optional<Number> suggested() {
        if (type != Type.INTEGER && type != Type.NUMBER && type != Type.DURATION) {
            return Optional.empty();
        }
        double least = minimum.map(Number::doubleValue).orElse(1.0);
        double twice = 2 * present.map(Number::doubleValue).orElse(0.0);
        double value = field.startsWith("stopConditions.") ? least : Math.max(least, twice);
        if (value == Math.rint(value)) {
            return Optional.of((long) value);
        }
        return Optional.of(Math.ceil(value * 100) / 100);
    }

    /** Returns a copy with the least useful value. */
    public ResumeField atLeast(Number least) {
        return withMinimum(Optional.of(least));
    }

    /** Returns a copy with the current value. */
    public ResumeField now(Number value) {
        return withPresent(Optional.of(value));
    }
}
