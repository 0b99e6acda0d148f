package dev.loopkeeper.cli.print;

import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.Run;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Shows the progress of a run in up to three lines at the bottom of a terminal. They hold phase and iteration, newest
 * verdicts, step and its duration, cost, and the agent's latest activity. Shows nothing if there is no terminal.
 */
public final class Footer implements AutoCloseable {
    /** Number of newest verdicts that are shown. */
    public static final int VERDICTS = 16;

    private static final int ACTIVITIES = 2;
    private static final long LEAST_MILLIS = 100;
    private static final String GAP = "  ";

    private final Console console;
    private final Clock clock;
    private final String hint;
    private final String address;
    private final Frame frame;
    private final SortedMap<Integer, Verdict> verdicts = new TreeMap<>();
    private final Deque<Activity> activities = new ArrayDeque<>();
    private Optional<Run> run = Optional.empty();
    private Optional<Step> step = Optional.empty();
    private long paintedMillis;

    private record Step(String stepId, String agent, Instant startedAt) {}

    /**
     * One or more words of the first line.
     *
     * @param weight if the line is too long, parts of lower weight are left out first
     */
    private record Part(int weight, String text, String painted) {}

    /**
     * Creates a footer that shows nothing yet.
     *
     * @param hint what a person can do, e.g. {@code Ctrl-C stops it}
     * @param address URL of the page that shows the run
     */
    public Footer(Console console, Clock clock, String hint, String address) {
        this.console = console;
        this.clock = clock;
        this.hint = hint;
        this.address = address;
        this.frame = new Frame(console);
    }

    /** Prints a line that stays above the footer. */
    public void print(String line) {
        frame.print(line);
    }

    /** Sets the step that is running and its start. */
    public void began(String stepId, String agent, Instant at) {
        step = Optional.of(new Step(stepId, agent, at));
    }

    /** Records the verdict of an iteration; a later attempt of the same iteration replaces it. */
    public void showVerdict(int iteration, Verdict verdict) {
        verdicts.put(iteration, verdict);
        if (verdicts.size() > VERDICTS) {
            verdicts.remove(verdicts.firstKey());
        }
    }

    /** Updates the footer from an event; repaints at most every 100 ms. */
    public void update(RunEvent event, Instant at) {
        if (event instanceof StepStarted started) {
            began(started.stepId(), started.agent(), at);
        }
        if (event instanceof IterationFinished finished) {
            showVerdict(finished.iteration(), finished.result().verdict());
        }
        if (clock.millis() - paintedMillis >= LEAST_MILLIS) {
            paint();
        }
    }

    /** Shows the current state of this run. */
    public void show(Run now) {
        run = Optional.of(now);
        now.activity().filter(newest -> !newest.equals(activities.peekLast())).ifPresent(newest -> {
            activities.addLast(newest);
            if (activities.size() > ACTIVITIES) {
                activities.removeFirst();
            }
        });
        paint();
    }

    private void paint() {
        if (console.screen().isPresent() && run.isPresent()) {
            paintedMillis = clock.millis();
            frame.show(lines(run.get()));
        }
    }

    private List<String> lines(Run now) {
        List<String> lines = new ArrayList<>();
        lines.add(fitted(parts(now)));
        activities.forEach(activity -> lines.add(Paint.DIM.on(
                console, Columns.cut(GAP + agent(activity) + "> " + Words.shown(activity.text()), frame.columns()))));
        return lines;
    }

    /** Returns the agent's name from the id of the step, e.g. {@code dev} of {@code build.3.dev.1}. */
    private static String agent(Activity activity) {
        String[] parts = activity.stepId().split("\\.", -1);
        return parts.length < 2 ? activity.stepId() : parts[parts.length - 2];
    }

    private List<Part> parts(Run now) {
        List<Part> parts = new ArrayList<>();
        RunStatus status = now.status();
        if (status != RunStatus.RUNNING || now.position().phase().isEmpty()) {
            parts.add(part(9, status.wire(), Paint.ofStatus(status.wire())));
        }
        now.position().phase().ifPresent(phase -> parts.add(part(8, RunWords.position(now), Paint.BOLD)));
        strip().ifPresent(parts::add);
        now.position().stepId().ifPresent(id -> parts.add(part(7, atStep(id), Paint.DIM)));
        if (now.usage().costUsd().isPresent()) {
            parts.add(part(6, RunWords.cost(now), Paint.DIM));
        }
        now.usage().tokens().ifPresent(count -> parts.add(part(1, RunWords.tokens(count) + " tokens", Paint.DIM)));
        if (status.isOpen() && status != RunStatus.STOPPING) {
            // A run that is stopping needs no hint: Ctrl-C would then kill its processes, or another client stopped it.
            parts.add(part(2, hint, Paint.DIM));
        }
        parts.add(part(0, address, Paint.DIM));
        return parts;
    }

    private Part part(int weight, String text, Paint paint) {
        return new Part(weight, text, paint.on(console, text));
    }

    /** Returns e.g. {@code dev 2m 10s}; if the start of the step is unknown, its id. */
    private String atStep(String stepId) {
        return step.map(known -> known.agent() + " "
                        + Words.duration(Duration.between(known.startedAt(), clock.instant())
                                .toMillis()))
                .orElse(stepId);
    }

    private Optional<Part> strip() {
        StringBuilder text = new StringBuilder();
        StringBuilder painted = new StringBuilder();
        for (Verdict verdict : verdicts.values()) {
            text.append(sign(verdict));
            painted.append(Paint.ofVerdict(verdict.wire()).on(console, sign(verdict)));
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(new Part(5, text.toString(), painted.toString()));
    }

    private static String sign(Verdict verdict) {
        return switch (verdict) {
            case SUCCESS -> "■";
            case MILESTONE_SUCCESS -> "▣";
            case PROGRESS -> "▪";
            case STALLED -> "▨";
            case ANOMALY -> "▲";
            case FAILED -> "✖";
        };
    }

    private String fitted(List<Part> parts) {
        List<Part> kept = new ArrayList<>(parts);
        while (kept.size() > 1 && width(kept) > frame.columns()) {
            kept.remove(kept.stream()
                    .min((one, two) -> Integer.compare(one.weight(), two.weight()))
                    .orElseThrow());
        }
        if (width(kept) > frame.columns()) {
            return Columns.cut(kept.get(0).text(), frame.columns());
        }
        return String.join(GAP, kept.stream().map(Part::painted).toList());
    }

    private static int width(List<Part> parts) {
        return parts.stream().mapToInt(part -> Columns.of(part.text())).sum() + GAP.length() * (parts.size() - 1);
    }

    @Override
    public void close() {
        frame.close();
    }
}
