package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;
import java.util.List;

/**
 * What an agent can say of its work without writing JSON, each with the field of the signal that it sets. The command
 * {@code loopkeeper signal} and the program {@code $LOOPKEEPER_SIGNAL} both take their options from here.
 */
public enum SignalOption {
    /** {@code --determination SUCCESS}. */
    DETERMINATION("--determination", "determination", WireName.all(Determination.class), "What the iteration achieved"),
    /** {@code --verdict approved}. */
    VERDICT("--verdict", "verdict", WireName.all(SignalVerdict.class), "The judgement of an item or a gate"),
    /** {@code --status completed}. */
    STATUS("--status", "status", WireName.all(SignalStatus.class), "How far the step got"),
    /** {@code --concern 'the header row is lost'}. */
    CONCERN("--concern", "keyConcern", List.of(), "What the next step should know or do"),
    /** {@code --question 'Which port?'}, as often as there are questions. */
    QUESTION("--question", "questions", List.of(), "What only a person can answer; repeatable, and pauses the run");

    private final String word;
    private final String field;

    @SuppressWarnings("ImmutableEnumChecker") // WireName.all and List.of make lists that never change
    private final List<String> allowed;

    private final String meaning;

    SignalOption(String word, String field, List<String> allowed, String meaning) {
        this.word = word;
        this.field = field;
        this.allowed = allowed;
        this.meaning = meaning;
    }

    /** The option as it is typed, e.g. {@code --concern}. */
    public String word() {
        return word;
    }

    /** The field that it sets, e.g. {@code keyConcern}. */
    public String field() {
        return field;
    }

    /** The values that it may have; empty where any text will do. */
    public List<String> allowed() {
        return allowed;
    }

    /** For its help. */
    public String meaning() {
        return meaning;
    }

    /** Whether it may be given more than once; its field is a list then. */
    public boolean repeats() {
        return this == QUESTION;
    }
}
