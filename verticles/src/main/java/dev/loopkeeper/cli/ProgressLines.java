package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Events as lines that a person can follow, one per decision; most events are none. */
final class ProgressLines {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private static final int LONGEST = 100;
    private static final int LAST_LINES = 5;

    private final Console console;
    private final ZoneId zone;
    private final boolean manyRuns;

    /**
     * Lines for this console.
     *
     * @param manyRuns whether each line names its run
     */
    ProgressLines(Console console, ZoneId zone, boolean manyRuns) {
        this.console = console;
        this.zone = zone;
        this.manyRuns = manyRuns;
    }

    /** The lines of an event in the envelope of the feed; empty when it is not worth one. */
    List<String> of(JsonNode event) {
        String runId = event.path("runId").asText();
        return text(event.path("type").asText(), event.path("data"), runId)
                .map(text -> clock(event) + (manyRuns ? runId + "  " : "") + text)
                .map(text -> text.lines().toList())
                .orElseGet(List::of);
    }

    private String clock(JsonNode event) {
        try {
            Instant at = Instant.parse(event.path("at").asText());
            return Paint.DIM.on(console, CLOCK.format(at.atZone(zone))) + "  ";
        } catch (DateTimeException noTime) {
            return "";
        }
    }

    private Optional<String> text(String type, JsonNode data, String runId) {
        return Optional.ofNullable(
                switch (type) {
                    case "run.created" -> Paint.BOLD.on(console, "run " + runId);
                    case "run.queued" -> queued(data);
                    case "run.resumed" ->
                        data.path("queued").asBoolean() // told so before there was run.queued
                                ? queued(data)
                                : "resumed: " + data.path("action").asText() + by(data);
                    case "run.pausing" ->
                        "pausing, when what runs has ended: "
                                + data.path("pause").path("reason").asText();
                    case "run.paused" -> paused(data);
                    case "run.waiting" ->
                        "waiting until " + data.path("resumeAt").asText() + reason(data);
                    case "run.stopping" -> "stopping: " + said(data.path("cause"), "summary");
                    case "run.ended" -> ended(data);
                    case "phase.started" ->
                        "phase " + data.path("phase").asText() + " ("
                                + data.path("kind").asText() + ")";
                    case "phase.finished" -> phaseFinished(data);
                    case "iteration.started" ->
                        "iteration " + data.path("iteration").asInt() + again(data);
                    case "iteration.finished" -> verdict(data);
                    case "item.started" -> "item " + data.path("item").asText() + again(data);
                    case "item.finished" -> itemFinished(data);
                    default -> stepText(type, data);
                });
    }

    private String stepText(String type, JsonNode data) {
        return switch (type) {
            case "step.started" ->
                "  " + data.path("agent").asText() + " started "
                        + Paint.DIM.on(console, data.path("stepId").asText());
            case "step.retrying" ->
                "  " + data.path("agent").asText() + " is tried again at "
                        + data.path("dueAt").asText() + ": " + said(data.path("error"), "message");
            case "step.finished" -> stepFinished(data);
            case "step.swept" -> swept(data);
            case "budget.warning", "notice" -> Paint.YELLOW.on(console, said(data, "message"));
            default -> null;
        };
    }

    private static String queued(JsonNode data) {
        boolean submitted = data.path("by").asText().equals("submit");
        return "waits for a place"
                + (submitted ? "" : ": " + data.path("action").asText() + by(data));
    }

    private static String by(JsonNode data) {
        String by = data.path("by").asText();
        return by.isEmpty() || by.equals("operator") ? "" : " (by " + by + ")";
    }

    private static String again(JsonNode data) {
        int attempt = data.path("attempt").asInt();
        return attempt > 1 ? " (attempt " + attempt + ")" : "";
    }

    private static String reason(JsonNode data) {
        String message = said(data, "message");
        return message.isEmpty() ? "" : ": " + message;
    }

    private static String said(JsonNode data, String field) {
        return Words.shown(data.path(field).asText());
    }

    private String paused(JsonNode data) {
        JsonNode pause = data.path("pause");
        StringBuilder line =
                new StringBuilder("paused: ").append(data.path("reason").asText());
        if (data.hasNonNull("detail")) {
            line.append(" (").append(data.get("detail").asText()).append(")");
        }
        line.append(reason(pause));
        return Paint.YELLOW.on(console, line.toString());
    }

    private String ended(JsonNode data) {
        JsonNode termination = data.path("termination");
        boolean success = termination.path("success").asBoolean();
        String status = data.path("status").asText();
        String why = success ? "" : " " + termination.path("subtype").asText() + ": " + said(termination, "summary");
        String took = " after " + Words.duration(termination.path("durationMs").asLong());
        String advice = termination.hasNonNull("advice") ? "; advice: " + said(termination, "advice") : "";
        return Paint.ofStatus(status).on(console, status + why + took + advice);
    }

    private String phaseFinished(JsonNode data) {
        String outcome = data.path("outcome").asText();
        boolean good = outcome.equals("passed") || outcome.equals("finished");
        return "phase " + data.path("phase").asText() + " " + (good ? Paint.GREEN : Paint.YELLOW).on(console, outcome)
                + reason(data);
    }

    private String verdict(JsonNode data) {
        String verdict = data.path("verdict").asText();
        Paint paint =
                verdict.endsWith("SUCCESS") ? Paint.GREEN : verdict.equals("PROGRESS") ? Paint.BOLD : Paint.YELLOW;
        return "iteration " + data.path("iteration").asInt() + " " + paint.on(console, verdict);
    }

    private String itemFinished(JsonNode data) {
        String status = data.path("status").asText();
        String text = status.equals("pending") ? data.path("outcome").asText() + ", is tried again" : status;
        return "item " + data.path("item").asText() + " "
                + (status.equals("approved") ? Paint.GREEN : Paint.YELLOW).on(console, text);
    }

    private String stepFinished(JsonNode data) {
        JsonNode result = data.path("result");
        boolean good = result.path("status").asText().equals("completed");
        StringBuilder line = new StringBuilder("  ").append(data.path("agent").asText());
        line.append(
                result.hasNonNull("exitCode")
                        ? " exit " + result.get("exitCode").asInt()
                        : " no exit status");
        line.append(" in ").append(Words.duration(result.path("durationMs").asLong()));
        line.append(signalled(result.path("signal")));
        if (!good) {
            line.append(", ").append(result.path("termination").asText());
            Words.lastLines(result.path("errorContext").path("message").asText(), LAST_LINES)
                    .forEach(said -> line.append("\n      ").append(said));
        }
        return good ? line.toString() : Paint.RED.on(console, line.toString());
    }

    /** What the agent itself says, e.g. {@code , PROGRESS: two tests fail}. */
    private static String signalled(JsonNode signal) {
        StringBuilder words = new StringBuilder();
        for (String field : List.of("determination", "verdict", "readiness")) {
            if (signal.hasNonNull(field)) {
                words.append(", ").append(Words.oneLine(signal.get(field).asText()));
            }
        }
        String concern = said(signal, "keyConcern");
        String shown = concern.length() > LONGEST ? concern.substring(0, LONGEST) + "…" : concern;
        return words + (shown.isEmpty() ? "" : ": " + shown);
    }

    private String swept(JsonNode data) {
        long count = data.path("count").asLong();
        int left = data.path("survivors").size();
        if (left > 0) {
            return Paint.RED.on(
                    console,
                    "  " + left + " left behind by " + data.path("stepId").asText() + " would not die");
        }
        return count == 0
                ? null
                : "  " + count + " left behind by " + data.path("stepId").asText() + ", ended" + named(data);
    }

    private static String named(JsonNode swept) {
        List<String> names = new ArrayList<>();
        for (JsonNode process : swept.path("processes")) {
            names.add(process.path("pid").asLong() + " "
                    + Words.oneLine(process.path("command").asText()) + " ("
                    + process.path("foundBy").asText() + ")");
        }
        String all = String.join("; ", names);
        return all.isEmpty() ? "" : ": " + (all.length() > LONGEST ? all.substring(0, LONGEST) + "…" : all);
    }
}
