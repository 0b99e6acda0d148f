package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a run object says, in lines for people. */
final class RunReport {
    private static final String INDENT = "  ";
    private static final int LAST_LINES = 5;

    private final RootCommand root;
    private final JsonNode run;

    RunReport(RootCommand root, JsonNode run) {
        this.root = root;
        this.run = run;
    }

    /** Id, status and name in one line. */
    static String headline(Console console, JsonNode run) {
        String status = RunStates.of(run);
        return Paint.BOLD.on(console, run.path("runId").asText()) + " is "
                + Paint.ofStatus(status).on(console, status);
    }

    /** Why it is where it is, and what may be done next. */
    List<String> why() {
        List<String> lines = new ArrayList<>();
        lines.add(headline(root.console(), run));
        pause(lines);
        termination(lines);
        ResumeHint.of(run).ifPresent(hint -> {
            hint.need().ifPresent(need -> lines.add(INDENT + "a resume needs: " + need));
            lines.add(INDENT + "resume it with: " + root.hint(hint.command()));
        });
        return lines;
    }

    /** Everything that matters. */
    List<String> whole() {
        List<String> lines = new ArrayList<>(why());
        place(lines, "at", run.path("position"));
        usage(lines);
        statistics(lines);
        lines.add(INDENT + "created " + run.path("createdAt").asText() + time(", started ", "startedAt")
                + time(", ended ", "endedAt"));
        lines.add(INDENT + "execution " + run.path("execution").asInt() + ", event "
                + run.path("sequence").asLong());
        if (run.hasNonNull("workspace")) {
            lines.add(INDENT + "workspace " + run.get("workspace").asText());
        }
        return lines;
    }

    private void pause(List<String> lines) {
        JsonNode pause = run.path("pause");
        Optional.ofNullable(pause.path("resumeAt").textValue())
                .ifPresent(due -> lines.add(INDENT + "goes on by itself at " + due));
        if (!pause.hasNonNull("reason")) {
            return;
        }
        String detail = pause.hasNonNull("detail") ? " (" + pause.get("detail").asText() + ")" : "";
        String message = Words.shown(pause.path("message").asText());
        lines.add(INDENT + "reason: " + pause.get("reason").asText() + detail
                + (message.isEmpty() ? "" : ": " + message));
        said(lines, "concern", pause.path("keyConcern"), message);
        said(lines, "refused value", pause.path("refusedValue"), message);
        error(lines, pause.path("errorContext"), message);
        pause.path("gaps").forEach(gap -> said(lines, "gap", gap, ""));
        pause.path("questions").forEach(question -> said(lines, "question", question, ""));
        List<String> actions = new ArrayList<>();
        pause.path("allowedActions").forEach(action -> actions.add(action.asText()));
        lines.add(INDENT + "may follow: " + String.join(", ", actions) + "; any of them with --feedback TEXT");
    }

    /** What is said in the message already is not said again. */
    private static void said(List<String> lines, String word, JsonNode text, String message) {
        String shown = Words.shown(text.asText(""));
        if (!text.isNull() && !shown.isEmpty() && !message.contains(shown)) {
            lines.add(INDENT + word + ": " + shown);
        }
    }

    private static void error(List<String> lines, JsonNode error, String message) {
        Words.lastLines(error.path("message").asText(), LAST_LINES).stream()
                .filter(line -> !message.contains(line))
                .forEach(line -> lines.add(INDENT + "error: " + line));
    }

    private void termination(List<String> lines) {
        JsonNode termination = run.path("termination");
        if (!termination.hasNonNull("subtype")) {
            return;
        }
        String code = termination.hasNonNull("reasonCode")
                ? " (" + termination.get("reasonCode").asText() + ")"
                : "";
        lines.add(INDENT + "ended: " + termination.get("subtype").asText() + code + ", "
                + Words.shown(termination.path("summary").asText()));
        error(lines, termination.path("errorContext"), lines.get(lines.size() - 1));
        said(lines, "advice", termination.path("advice"), "");
        lines.add(
                INDENT + "took " + Words.duration(termination.path("durationMs").asLong()));
    }

    private static void place(List<String> lines, String word, JsonNode position) {
        if (!position.hasNonNull("phase")) {
            return;
        }
        StringBuilder line = new StringBuilder(
                INDENT + word + " phase " + position.get("phase").asText());
        for (String part : List.of("iteration", "item", "stepId")) {
            if (position.hasNonNull(part)) {
                line.append(", ").append(part.equals("stepId") ? "step" : part).append(" ");
                line.append(position.get(part).asText());
            }
        }
        lines.add(line.toString());
    }

    private void usage(List<String> lines) {
        used(run.path("usage")).ifPresent(text -> lines.add(INDENT + text));
    }

    /** E.g. {@code used $1.25 or more, 46230 tokens, unknown turns}; empty where nothing is known. */
    static Optional<String> used(JsonNode usage) {
        boolean tokens = usage.hasNonNull("inputTokens") || usage.hasNonNull("outputTokens");
        if (!tokens && !usage.hasNonNull("costUsd") && !usage.hasNonNull("turns")) {
            return Optional.empty();
        }
        long told =
                usage.path("inputTokens").asLong() + usage.path("outputTokens").asLong();
        String turns = usage.hasNonNull("turns") ? usage.get("turns").asText() : "unknown";
        return Optional.of("used " + cost(usage) + ", " + (tokens ? told : "unknown") + " tokens, " + turns + " turns");
    }

    private static String cost(JsonNode usage) {
        if (!usage.hasNonNull("costUsd")) {
            return "unknown cost";
        }
        String least = usage.path("costKnown").asBoolean(true) ? "" : " or more";
        return String.format(Locale.ROOT, "$%.2f", usage.get("costUsd").asDouble()) + least;
    }

    private void statistics(List<String> lines) {
        JsonNode counts = run.path("statistics");
        if (counts.path("itemsTotal").asLong() > 0) {
            lines.add(INDENT + counts.path("itemsApproved").asLong() + " of "
                    + counts.path("itemsTotal").asLong() + " units approved, "
                    + counts.path("itemsRejected").asLong() + " rejected, "
                    + counts.path("itemsFailed").asLong() + " failed, "
                    + Words.count(counts.path("totalAttempts").asLong(), "attempt"));
        }
    }

    private String time(String word, String field) {
        return run.hasNonNull(field) ? word + run.get(field).asText() : "";
    }
}
