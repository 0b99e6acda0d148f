package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a run is, on the last line of a terminal, below the lines that stay: phase, iteration or item, step, time and
 * cost. Elsewhere there is no such line.
 */
final class StatusLine implements AutoCloseable {
    /** Narrower than any terminal, since a line that wraps cannot be taken back. */
    private static final int WIDEST = 78;

    private static final String TAKE_BACK = "\r\u001b[K";

    private final Console console;
    private final Clock clock;
    private String shown = "";

    StatusLine(Console console, Clock clock) {
        this.console = console;
        this.clock = clock;
    }

    /** Prints a line that stays. */
    void print(String line) {
        if (shown.isEmpty()) {
            console.print(line);
        } else {
            console.print(TAKE_BACK + line);
            draw();
        }
    }

    /** Shows where this run is now. */
    void show(JsonNode run) {
        if (!console.coloured()) {
            return;
        }
        shown = text(run);
        console.out().print(TAKE_BACK);
        draw();
    }

    private void draw() {
        console.out().print(Paint.DIM.on(console, shown));
        console.out().flush();
    }

    private String text(JsonNode run) {
        JsonNode position = run.path("position");
        List<String> parts = new ArrayList<>();
        parts.add(run.path("status").asText());
        add(parts, "", position.path("phase"));
        add(parts, "iteration ", position.path("iteration"));
        add(parts, "item ", position.path("item"));
        add(parts, "", position.path("stepId"));
        parts.add(elapsed(run));
        JsonNode cost = run.path("usage").path("costUsd");
        if (cost.isNumber()) {
            parts.add(String.format(Locale.ROOT, "$%.2f", cost.asDouble()));
        }
        add(parts, "", run.path("activity").path("text"));
        String text = Words.oneLine(String.join(" | ", parts));
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST);
    }

    private static void add(List<String> parts, String what, JsonNode value) {
        if (!value.isMissingNode() && !value.isNull()) {
            parts.add(what + value.asText());
        }
    }

    /** Of this execution. */
    private String elapsed(JsonNode run) {
        JsonNode executions = run.path("executions");
        String begun = executions.path(executions.size() - 1).path("startedAt").asText();
        try {
            return Words.duration(
                    Duration.between(Instant.parse(begun), clock.instant()).toMillis());
        } catch (DateTimeException notBegun) {
            return Words.duration(0);
        }
    }

    @Override
    public void close() {
        if (!shown.isEmpty()) {
            shown = "";
            console.out().print(TAKE_BACK);
            console.out().flush();
        }
    }
}
