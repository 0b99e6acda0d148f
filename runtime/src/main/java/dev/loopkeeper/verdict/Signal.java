package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A validated signal file of a step. {@code docs/signal-files.md} explains the fields; at least one of status,
 * determination, verdict, readiness and terminal is present. Java makes one by the verdict that it gives, e.g. {@code
 * Signal.rejected("two tests fail").asking("Which of the two?")}.
 *
 * @param raw the original object
 */
public record Signal(
        Optional<SignalStatus> status,
        Optional<Determination> determination,
        Optional<SignalVerdict> verdict,
        Optional<Boolean> shouldContinue,
        boolean userInputNeeded,
        List<String> questions,
        Optional<String> keyConcern,
        Optional<String> anomalyType,
        Optional<Boolean> reflectionNeeded,
        boolean recommendStop,
        Optional<String> iterationHealth,
        Optional<String> milestoneNote,
        Optional<ResumeAction> recommendedAction,
        Optional<Readiness> readiness,
        List<String> gaps,
        Optional<JsonNode> deliverable,
        Optional<Usage> usage,
        Optional<ErrorContext> error,
        Optional<TerminalSignal> terminal,
        JsonNode raw) {
    /** Returns the signal of a JSON object. Throws {@link IllegalArgumentException} that names the field for an invalid one. */
    public static Signal of(JsonNode object) {
        return SignalSchema.signal(object);
    }

    /** The work is right. */
    public static Signal approved() {
        return of("verdict", SignalVerdict.APPROVED);
    }

    /** The work must be done again; the next launch reads why. */
    public static Signal rejected(String concern) {
        return of("verdict", SignalVerdict.REJECTED).concern(concern);
    }

    /** The check itself could not be made. */
    public static Signal failed(String concern) {
        return of("verdict", SignalVerdict.FAILED).concern(concern);
    }

    /** The loop has reached its goal. */
    public static Signal success() {
        return of("determination", Determination.SUCCESS);
    }

    /** A part of the goal is reached, e.g. {@code the parser is done}. */
    public static Signal milestone(String note) {
        return of("determination", Determination.MILESTONE_SUCCESS).with("milestoneNote", TextNode.valueOf(note));
    }

    /** The iteration came closer to the goal. */
    public static Signal progress() {
        return of("determination", Determination.PROGRESS);
    }

    /** The iteration came no closer to the goal. */
    public static Signal stalled(String concern) {
        return of("determination", Determination.STALLED).concern(concern);
    }

    /** A person must decide. */
    public static Signal anomaly(String type, String concern) {
        return of("determination", Determination.ANOMALY)
                .with("anomalyType", TextNode.valueOf(type))
                .concern(concern);
    }

    /** The step did its work. */
    public static Signal completed() {
        return of("status", SignalStatus.COMPLETED);
    }

    /** The step did a part of its work. */
    public static Signal partial(String concern) {
        return of("status", SignalStatus.PARTIAL).concern(concern);
    }

    /** The step could not do its work. */
    public static Signal blocked(String concern) {
        return of("status", SignalStatus.BLOCKED).concern(concern);
    }

    /** Whether the work can begin. */
    public static Signal readiness(Readiness readiness, String... gaps) {
        ArrayNode texts = JsonNodeFactory.instance.arrayNode();
        Stream.of(gaps).forEach(texts::add);
        return of("readiness", readiness).with("gaps", texts);
    }

    private static Signal of(String field, WireName value) {
        return of(JsonNodeFactory.instance.objectNode().put(field, value.wire()));
    }

    /** Returns a copy with this reason, which the next launch reads. */
    public Signal concern(String concern) {
        return with("keyConcern", TextNode.valueOf(concern));
    }

    /** Returns a copy that asks a person; the run pauses for the answer. */
    public Signal asking(String question) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        questions.forEach(all::add);
        return with("userInputNeeded", BooleanNode.TRUE).with("questions", all.add(question));
    }

    /** Returns a copy with a structured result. */
    public Signal delivering(JsonNode deliverable) {
        return with("deliverable", deliverable);
    }

    /** Returns a copy with any field of a signal file. */
    public Signal with(String field, JsonNode value) {
        return of(((ObjectNode) raw.deepCopy()).set(field, value));
    }

    /** The fields that decide what follows, without sentences. */
    public List<Object> deciding() {
        return List.of(
                status,
                determination,
                verdict,
                shouldContinue,
                userInputNeeded,
                reflectionNeeded,
                recommendStop,
                iterationHealth,
                recommendedAction,
                readiness);
    }

    public boolean says(SignalStatus given) {
        return status.equals(Optional.of(given));
    }

    public boolean says(Determination given) {
        return determination.equals(Optional.of(given));
    }

    public boolean says(SignalVerdict given) {
        return verdict.equals(Optional.of(given));
    }

    public boolean says(Readiness given) {
        return readiness.equals(Optional.of(given));
    }
}
