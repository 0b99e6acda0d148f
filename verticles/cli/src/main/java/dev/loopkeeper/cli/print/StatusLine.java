package dev.loopkeeper.cli.print;

import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Position;
import dev.loopkeeper.view.Run;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a run is, on the last line of a terminal, below the lines that stay: phase, iteration or item, step, time and
 * cost. Elsewhere there is no such line.
 */
public final class StatusLine implements AutoCloseable {
    /** Narrower than any terminal, since a line that wraps cannot be taken back. */
    private static final int WIDEST = 78;

    private static final String TAKE_BACK = "\r\u001b[K";

    private final Console console;
    private final Clock clock;
    private String shown = "";

    public StatusLine(Console console, Clock clock) {
        this.console = console;
        this.clock = clock;
    }

    /** Prints a line that stays. */
    public void print(String line) {
        if (shown.isEmpty()) {
            console.print(line);
        } else {
            console.print(TAKE_BACK + line);
            draw();
        }
    }

    /** Shows where this run is now. */
    public void show(Run run) {
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

    private String text(Run run) {
        Position position = run.position();
        List<String> parts = new ArrayList<>();
        parts.add(run.status().wire());
        position.phase().ifPresent(parts::add);
        position.iteration().ifPresent(number -> parts.add("iteration " + number));
        position.item().ifPresent(item -> parts.add("item " + item));
        position.stepId().ifPresent(parts::add);
        parts.add(elapsed(run));
        run.usage().costUsd().ifPresent(cost -> parts.add(String.format(Locale.ROOT, "$%.2f", cost)));
        run.activity().map(Activity::text).ifPresent(parts::add);
        String text = Words.oneLine(String.join(" | ", parts));
        return text.length() <= WIDEST ? text : text.substring(0, WIDEST);
    }

    /** Of this execution. */
    private String elapsed(Run run) {
        return Words.duration(run.executions().stream()
                .reduce((earlier, later) -> later)
                .map(last -> Duration.between(last.startedAt(), clock.instant()).toMillis())
                .orElse(0L));
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
