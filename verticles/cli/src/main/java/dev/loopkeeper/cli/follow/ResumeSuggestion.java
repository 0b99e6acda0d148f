package dev.loopkeeper.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.Amounts;
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
    private static final Set<String> BUDGET = Set.of("costUsd", "tokens", "turns", "time");

    private final Explanation explanation;
    private final ObjectNode given;

    public ResumeSuggestion(Explanation explanation) {
        this(explanation, Json.MAPPER.createObjectNode());
    }

    /**
     * @param given the body of a refused request; numbers in it get a valid value
     */
    public ResumeSuggestion(Explanation explanation, ObjectNode given) {
        this.explanation = explanation;
        this.given = given;
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
            needed(action).forEach(need -> words.add(option(need, value(need))));
            corrected().forEach(field -> words.add(option(field, accepted(field))));
            if (exceeded().findAny().isPresent()) {
                words.add("--reset-statistics");
            }
            asked().ifPresent(words::add);
            return String.join(" ", words);
        });
    }

    /** Returns the body of the request for {@link #line}. Empty if it needs a manifest, or text that is not given. */
    public Optional<ObjectNode> body(Optional<String> feedback) {
        if (explanation.allowedActions().isEmpty()) {
            return Optional.empty();
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        String action = explanation.allowedActions().get(0).wire();
        if (explanation.status() == RunStatus.PAUSED) {
            body.put("action", action);
        }
        feedback.ifPresent(words -> body.put("feedback", words));
        if (exceeded().findAny().isPresent()) {
            body.put("resetStatistics", true);
        }
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
            case DURATION -> parent.put(name, minutes(value(need)));
            case BOOLEAN -> parent.put(name, true);
            case CHOICE -> parent.put(name, need.choices().get(0));
            case LIST -> need.choices().forEach(parent.withArrayProperty(name)::add);
            case TEXT -> {}
        }
        return need.type() != ResumeField.Type.TEXT || body.has(need.field());
    }

    /** Returns what is needed, one line each, e.g. {@code --budget-usd N (now $5.00): a cap above what is spent}. */
    public List<String> needs() {
        return Stream.concat(explanation.needs().stream(), corrected())
                .map(this::description)
                .toList();
    }

    /**
     * Returns other options that help, e.g. {@code --waive lint: the run continues although …}, or a higher threshold in
     * place of {@code --reset-statistics}.
     */
    public List<String> others() {
        Stream<ResumeField> waived =
                explanation.accepts().stream().filter(field -> field.field().equals("waive"));
        return Stream.concat(waived, exceeded()).map(this::description).toList();
    }

    /** Returns the effect of each allowed action, one line each, e.g. {@code continue: launches dev}. */
    public List<String> effects() {
        boolean ended = explanation.status().isEnded();
        return explanation.effects().entrySet().stream()
                .map(effect -> (ended ? "a resume " : effect.getKey().wire() + ": ") + Words.shown(effect.getValue()))
                .toList();
    }

    private Stream<ResumeField> needed(String action) {
        return explanation.needs().stream()
                .filter(need -> need.actions().isEmpty()
                        || need.actions().stream().anyMatch(one -> one.wire().equals(action)));
    }

    /** Thresholds that end the run again after the next iteration or item. */
    private Stream<ResumeField> exceeded() {
        return explanation.accepts().stream().filter(field -> field.field().startsWith("stopConditions."));
    }

    /** Numbers that are not required, but were given. */
    private Stream<ResumeField> corrected() {
        return explanation.accepts().stream()
                .filter(field -> given(field).isPresent())
                .filter(field -> field.minimum().isPresent());
    }

    private Optional<String> given(ResumeField field) {
        return given.at("/" + field.field().replace('.', '/')).asOptional().map(JsonNode::asText);
    }

    private Optional<String> asked() {
        return questions().isEmpty() ? Optional.empty() : Optional.of("--feedback ANSWERS");
    }

    /** Returns the agent's questions, which the feedback answers. */
    public List<String> questions() {
        return Stream.concat(explanation.needs().stream(), explanation.accepts().stream())
                .flatMap(field -> field.questions().stream())
                .toList();
    }

    private String description(ResumeField need) {
        String least =
                need.minimum().map(value -> ", at least " + number(need, value)).orElse("");
        Stream<String> requested =
                need.minimum().stream().flatMap(value -> given(need).stream()).map(value -> "requested " + value);
        Stream<String> now = need.present().stream().map(value -> "now " + number(need, value));
        String values = Stream.concat(requested, now).collect(Collectors.joining(", "));
        String present = values.isEmpty() ? "" : " (" + values + ")";
        String others = need.alternatives().stream()
                .map(other -> "; or " + flag(other) + ": " + Words.shown(other.text()))
                .collect(Collectors.joining());
        return flag(need) + least + present + ": " + Words.shown(need.text()) + others;
    }

    /** Returns e.g. {@code --max-iterations N}. */
    private static String flag(ResumeField field) {
        return switch (field.type()) {
            case TEXT -> name(field) + (field.field().equals("manifest") ? " FILE" : " TEXT");
            case INTEGER, NUMBER -> name(field) + " N";
            case DURATION -> name(field) + " DURATION";
            case BOOLEAN -> name(field);
            case CHOICE, LIST -> name(field) + " " + String.join(",", field.choices());
        };
    }

    /** @param value of a number */
    private static String option(ResumeField field, double value) {
        return switch (field.type()) {
            case INTEGER, NUMBER -> name(field) + " " + enough(value);
            case DURATION -> name(field) + " " + minutes(value);
            case CHOICE, LIST -> name(field) + " " + Words.quoted(String.join(",", field.choices()));
            case TEXT, BOOLEAN -> flag(field);
        };
    }

    private static double value(ResumeField field) {
        return field.suggested().map(Number::doubleValue).orElse(1.0);
    }

    /** Returns the present value if it is accepted, otherwise the suggested one. */
    private static double accepted(ResumeField field) {
        double least = field.minimum().map(Number::doubleValue).orElse(0.0);
        return field.present()
                .map(Number::doubleValue)
                .filter(present -> present >= least)
                .orElseGet(() -> value(field));
    }

    private static String number(ResumeField field, Number value) {
        if (field.field().equals("budget.costUsd")) {
            return Amounts.dollars(value.doubleValue());
        }
        if (field.type() == ResumeField.Type.DURATION) {
            return Amounts.duration(value.longValue());
        }
        boolean whole = value.doubleValue() == Math.rint(value.doubleValue());
        return whole ? Long.toString(value.longValue()) : value.toString();
    }

    /** Rounds milliseconds up to a duration that the option accepts, e.g. {@code 90m}. */
    private static String minutes(double millis) {
        return (long) Math.ceil(millis / 60_000) + "m";
    }

    private static String enough(double value) {
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
