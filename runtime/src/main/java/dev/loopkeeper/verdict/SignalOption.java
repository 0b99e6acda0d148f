package dev.loopkeeper.verdict;

import dev.loopkeeper.json.WireName;
import java.util.List;

/**
 * The options with which an agent writes a signal without JSON; each sets a field of the signal. Both {@code loopkeeper
 * signal} and the program {@code $LOOPKEEPER_SIGNAL} use them.
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
    /** {@code --question 'Which port?'}, once for each question. */
    QUESTION("--question", "questions", List.of(), "What only a person can answer; repeatable, and pauses the run");

    private final String word;
    private final String field;

    @SuppressWarnings("ImmutableEnumChecker") // WireName.all and List.of are immutable
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

    /** The allowed values; empty when any text is allowed. */
    public List<String> allowed() {
        return allowed;
    }

    /** The description in the help text. */
    public String meaning() {
        return meaning;
    }

    /** Whether the option may be repeated; its field is then a list. */
    public boolean repeats() {
        return this == QUESTION;
    }
}
