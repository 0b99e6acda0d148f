package dev.loopkeeper.termination;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loopkeeper.json.WireName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One field of a resume that makes sense for a run as it stands, for forms that know no rules, e.g.
 * {@code {"field": "maxIterations", "type": "integer", "text": "more iterations than the 6 that are done", "minimum": 7,
 * "present": 6, "alternatives": [{"field": "feedback", "type": "text", "text": "what to do otherwise"}]}}.
 *
 * @param field its place in the body of a resume, e.g. {@code feedback} or {@code budget.costUsd}
 * @param text for people: what it is about, without a full stop
 * @param minimum the least value that helps; absent where there is none
 * @param present the value in force; absent where there is none
 * @param choices what is to be chosen from, one or several
 * @param questions what the agent asks, to be answered in this text
 * @param actions the actions that need it, of those that are allowed; empty where none does
 * @param alternatives any one of them does instead
 */
public record ResumeField(
        String field,
        Type type,
        String text,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Number> minimum,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Number> present,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> choices,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> questions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResumeAction> actions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResumeField> alternatives) {
    /** What kind of value a field takes. */
    public enum Type implements WireName {
        /** Free text. */
        TEXT,
        /** A whole number. */
        INTEGER,
        /** A number. */
        NUMBER,
        /** True, or nothing. */
        BOOLEAN,
        /** One of its choices. */
        CHOICE,
        /** Some of its choices. */
        LIST;

        @Override
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Numbers are equal however they were written; lists that are missing are empty. */
    public ResumeField {
        minimum = minimum.map(ResumeField::plain);
        present = present.map(ResumeField::plain);
        choices = choices == null ? List.of() : choices;
        questions = questions == null ? List.of() : questions;
        actions = actions == null ? List.of() : actions;
        alternatives = alternatives == null ? List.of() : alternatives;
    }

    private static Number plain(Number number) {
        return number instanceof Integer whole ? Long.valueOf(whole.longValue()) : number;
    }

    /** A field of this kind. */
    public static ResumeField of(String field, Type type, String text) {
        return new ResumeField(
                field, type, text, Optional.empty(), Optional.empty(), List.of(), List.of(), List.of(), List.of());
    }

    /** The same with the least value that helps. */
    public ResumeField atLeast(Number least) {
        return new ResumeField(
                field, type, text, Optional.of(least), present, choices, questions, actions, alternatives);
    }

    /** The same with the value in force. */
    public ResumeField now(Number value) {
        return new ResumeField(
                field, type, text, minimum, Optional.of(value), choices, questions, actions, alternatives);
    }

    /** The same with what it is made of. */
    public ResumeField among(List<String> values) {
        return new ResumeField(field, type, text, minimum, present, values, questions, actions, alternatives);
    }

    /** The same with what is asked. */
    public ResumeField answering(List<String> asked) {
        return new ResumeField(field, type, text, minimum, present, choices, asked, actions, alternatives);
    }

    /** The same, needed by these actions. */
    public ResumeField neededBy(List<ResumeAction> which) {
        return new ResumeField(field, type, text, minimum, present, choices, questions, which, alternatives);
    }

    /** The same with others that do instead. */
    public ResumeField or(ResumeField... others) {
        return new ResumeField(field, type, text, minimum, present, choices, questions, actions, List.of(others));
    }
}
