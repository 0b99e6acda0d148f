package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.ResumeField;
import dev.loopkeeper.view.Explanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats what a resume of a run needs, as options of a command. */
public final class ResumeSuggestion {
    private static final Set<String> BUDGET = Set.of("costUsd", "tokens", "turns");

    private final Explanation explanation;
    private final Set<String> refused;

    public ResumeSuggestion(Explanation explanation) {
        this(explanation, Set.of());
    }

    /** @param refused fields of a refused request, e.g. {@code budget.costUsd}; numbers among them get a valid value */
    public ResumeSuggestion(Explanation explanation, Set<String> refused) {
        this.explanation = explanation;
        this.refused = refused;
    }

    /**
     * Returns a command that would be accepted, without the program, e.g.
     * {@code resume demo-1 continue --budget-usd 10}. Empty if the run cannot be resumed.
     *
     * @param requested the requested action; if it is not allowed, the first allowed one is used
     */
    public Optional<String> line(Optional<String> requested) {
        List<String> allowed =
                explanation.allowedActions().stream().map(ResumeAction::wire).toList();
        Optional<String> first =
                requested.filter(allowed::contains).or(() -> allowed.stream().findFirst());
        return first.map(action -> {
            List<String> words = new ArrayList<>(List.of("resume", explanation.runId()));
            // A run that has ended can be resumed in one way only.
            if (!explanation.status().isEnded()) {
                words.add(action);
            }
            Stream.concat(needed(action), corrected()).forEach(need -> words.add(option(need)));
            asked().ifPresent(words::add);
            return String.join(" ", words);
        });
    }

    /** Returns the body of the request for {@link #line}. Empty if it needs a manifest, or text that is not given. */
    public Optional<ObjectNode> body(Optional<String> feedback) {
        if (explanation.status() != RunStatus.WAITING
                && explanation.allowedActions().isEmpty()) {
            return Optional.empty();
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        String action = explanation.allowedActions().stream()
                .findFirst()
                .map(ResumeAction::wire)
                .orElse("");
        if (explanation.status() == RunStatus.PAUSED) {
            body.put("action", action);
        }
        feedback.ifPresent(words -> body.put("feedback", words));
        boolean complete = needed(action).allMatch(need -> put(body, need));
        return complete ? Optional.of(body) : Optional.empty();
    }

    /** Returns whether a resume needs more than its action. */
    public boolean needsMore() {
        return !explanation.needs().isEmpty();
    }

    /** Adds a value to the body; returns false if only a person can give it. */
    private static boolean put(ObjectNode body, ResumeField need) {
        String[] path = need.field().split("\\.", 2);
        ObjectNode parent = path.length == 1 ? body : body.withObjectProperty(path[0]);
        String name = path[path.length - 1];
        switch (need.type()) {
            case INTEGER -> parent.put(name, (long) value(need));
            case NUMBER -> parent.put(name, value(need));
            case BOOLEAN -> parent.put(name, true);
            case CHOICE -> parent.put(name, need.choices().get(0));
            case LIST -> need.choices().forEach(parent.withArrayProperty(name)::add);
            case TEXT -> {}
        }
        return need.type() != ResumeField.Type.TEXT || body.has(need.field());
    }

    /** Returns what is needed, one line each, e.g. {@code --budget-usd N: a cap above what is spent (now 5)}. */
    public List<String> needs() {
        return Stream.concat(explanation.needs().stream(), corrected())
                .map(ResumeSuggestion::description)
                .toList();
    }

    /** Returns the effect of each allowed action, one line each, e.g. {@code continue: launches dev}. */
    public List<String> effects() {
        return explanation.effects().entrySet().stream()
                .map(effect -> effect.getKey().wire() + ": " + Words.shown(effect.getValue()))
                .toList();
    }

    private Stream<ResumeField> needed(String action) {
        return explanation.needs().stream()
                .filter(need -> need.actions().isEmpty()
                        || need.actions().stream().anyMatch(one -> one.wire().equals(action)));
    }

    /** Numbers that are not required, but were given. */
    private Stream<ResumeField> corrected() {
        return explanation.accepts().stream()
                .filter(field -> refused.contains(field.field()))
                .filter(field -> field.minimum().isPresent());
    }

    private Optional<String> asked() {
        boolean questions = Stream.concat(explanation.needs().stream(), explanation.accepts().stream())
                .anyMatch(field -> !field.questions().isEmpty());
        return questions ? Optional.of("--feedback ANSWERS") : Optional.empty();
    }

    private static String description(ResumeField need) {
        String least = need.minimum().map(value -> ", at least " + value).orElse("");
        String present = need.present().map(value -> " (now " + value + ")").orElse("");
        String others = need.alternatives().stream()
                .map(other -> "; or " + flag(other) + ": " + Words.shown(other.text()))
                .collect(Collectors.joining());
        return flag(need) + ": " + Words.shown(need.text()) + least + present + others;
    }

    /** Returns e.g. {@code --max-iterations N}. */
    private static String flag(ResumeField field) {
        return switch (field.type()) {
            case TEXT -> name(field) + (field.field().equals("manifest") ? " FILE" : " TEXT");
            case INTEGER, NUMBER -> name(field) + " N";
            case BOOLEAN -> name(field);
            case CHOICE, LIST -> name(field) + " " + String.join(",", field.choices());
        };
    }

    private static String option(ResumeField field) {
        return switch (field.type()) {
            case INTEGER, NUMBER -> name(field) + " " + enough(field);
            case CHOICE, LIST -> name(field) + " " + Words.quoted(String.join(",", field.choices()));
            case TEXT, BOOLEAN -> flag(field);
        };
    }

    private static double value(ResumeField field) {
        return field.suggested().map(Number::doubleValue).orElse(1.0);
    }

    private static String enough(ResumeField field) {
        double value = value(field);
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }

    /** Returns the option of a field, e.g. {@code --budget-usd} of {@code budget.costUsd}. */
    private static String name(ResumeField field) {
        String last = field.field().substring(field.field().lastIndexOf('.') + 1);
        if (BUDGET.contains(last)) {
            return "--budget-" + (last.equals("costUsd") ? "usd" : last);
        }
        return "--" + last.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
