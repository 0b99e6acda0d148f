package dev.loopkeeper.cli.print;

import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.view.Activity;
import dev.loopkeeper.view.OpenAsk;
import dev.loopkeeper.view.PendingWait;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Position;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.RunLimits;
import dev.loopkeeper.view.TotalUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** Describes a run in few words, for the cell of a table or a status line. */
public final class RunWords {
    private static final long THOUSAND = 1000;
    private static final long MILLION = 1_000_000;
    private static final String UNKNOWN = "-";
    /** Columns of an activity, also in a pipe. */
    private static final int MOST_ACTIVITY = 240;

    private RunWords() {}

    /** Returns e.g. {@code build 3/20}, {@code frames 7/12}, {@code verify}. */
    static String position(Run run) {
        Position at = run.position();
        if (at.phase().isEmpty()) {
            return UNKNOWN;
        }
        String phase = at.phase().get();
        if (at.iteration().isPresent()) {
            return phase + " " + iteration(run, "/").orElseThrow();
        }
        boolean items = run.phases().stream()
                .anyMatch(each -> each.name().equals(phase) && each.kind().equals("each"));
        return items && run.statistics().itemsTotal() > 0
                ? phase + " " + run.statistics().ended().itemsApproved() + "/"
                        + run.statistics().itemsTotal()
                : phase + at.item().map(item -> " " + item).orElse("");
    }

    /** Returns e.g. {@code 3 of 20}; {@code 4, 3 of 3 used} if one iteration does not count towards the limit. */
    public static Optional<String> iteration(Run run) {
        return iteration(run, " of ");
    }

    private static Optional<String> iteration(Run run, String of) {
        Position at = run.position();
        Optional<Integer> most = run.limits()
                .maxIterations()
                .filter(limit -> at.countedIterations().isPresent());
        return at.iteration().map(number -> {
            String against =
                    most.map(limit -> at.countedIterations().get() + of + limit).orElse("");
            boolean allCounted = at.countedIterations().filter(number::equals).isPresent();
            return most.isEmpty() ? "" + number : allCounted ? against : number + ", " + against + " used";
        });
    }

    /** Returns e.g. {@code $1.10/$10.00}; {@code $0.37+} if that is a lower bound, {@code ≈$0.37} if it is estimated; {@code -} if no cost was reported. */
    static String cost(Run run) {
        RunLimits limits = run.limits();
        if (run.usage().costUsd().isEmpty()) {
            return UNKNOWN;
        }
        String least = run.usage().costKnown() ? "" : "+";
        String cap = limits.costUsd().isPresent()
                ? "/" + Amounts.dollars(limits.costUsd().getAsDouble())
                : "";
        return Amounts.cost(run.usage().costUsd().getAsDouble(), run.usage().estimated()) + least + cap;
    }

    /** Returns e.g. {@code $10.00, 200k tokens, 40 turns}; empty if there is no cap. */
    public static Optional<String> caps(Run run) {
        RunLimits limits = run.limits();
        List<String> parts = new ArrayList<>();
        limits.costUsd().ifPresent(most -> parts.add(Amounts.dollars(most)));
        limits.tokens().ifPresent(most -> parts.add(tokens(most) + " tokens"));
        limits.turns().ifPresent(most -> parts.add(most + " turns"));
        limits.timeMs().ifPresent(most -> parts.add(Amounts.duration(most)));
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
    }

    /** Returns e.g. {@code 950}, {@code 41234}, {@code 410k}, {@code 1.2M}. */
    static String tokens(long count) {
        if (count < 100 * THOUSAND) {
            return Long.toString(count);
        }
        return count < MILLION ? count / THOUSAND + "k" : String.format(Locale.ROOT, "%.1fM", count / (double) MILLION);
    }

    /** Returns e.g. {@code cost $0.36, 12345 tokens, 3 iterations}; empty if nothing was reported. */
    public static Optional<String> spent(Run run) {
        List<String> parts = new ArrayList<>();
        if (run.usage().costUsd().isPresent()) {
            parts.add("cost " + cost(run));
        }
        run.usage().tokens().ifPresent(count -> parts.add(tokens(count) + " tokens"));
        boolean items = hasItems(run);
        // An iteration that paused for a question has no verdict but is counted here.
        int units = Math.max(
                run.statistics().itemsTotal(),
                items ? 0 : run.position().iteration().orElse(0));
        if (units > 0) {
            parts.add(Amounts.count(units, items ? "unit" : "iteration"));
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
    }

    /** Returns e.g. {@code used $1.25 or more, 46230 tokens, unknown turns}; empty if nothing is known. */
    public static Optional<String> used(TotalUsage usage) {
        if (usage.tokens().isEmpty()
                && usage.costUsd().isEmpty()
                && usage.turns().isEmpty()) {
            return Optional.empty();
        }
        String tokens = usage.tokens().isPresent() ? "" + usage.tokens().getAsLong() : "unknown";
        String turns = usage.turns().isPresent() ? "" + usage.turns().getAsLong() : "unknown";
        return Optional.of("used " + cost(usage) + ", " + tokens + " tokens, " + turns + " turns");
    }

    private static String cost(TotalUsage usage) {
        if (usage.costUsd().isEmpty()) {
            return "unknown cost";
        }
        String least = usage.costKnown() ? "" : " or more";
        return Amounts.cost(usage.costUsd().getAsDouble(), usage.estimated()) + least;
    }

    /** Whether the run has a phase that works on items. */
    public static boolean hasItems(Run run) {
        return run.phases().stream().anyMatch(phase -> phase.kind().equals("each"));
    }

    static String last(Run run) {
        return run.last().map(last -> verdict(run, last)).orElse(UNKNOWN);
    }

    /** Returns the verdict; of a loop's step as its iterations have it, e.g. {@code STALLED} for {@code rejected}. */
    public static String verdict(Run run, LastVerdict last) {
        boolean loop = run.phases().stream()
                .anyMatch(phase -> phase.kind().equals("loop") && last.stepId().startsWith(phase.name() + "."));
        return !loop
                ? last.verdict()
                : switch (last.verdict()) {
                    case "approved" -> "SUCCESS";
                    case "rejected" -> "STALLED";
                    case "failed" -> "FAILED";
                    default -> last.verdict();
                };
    }

    /** Returns how long a run under way was active; else how long it has had its status. */
    static String age(Run run, Times times) {
        boolean underWay = run.status() == RunStatus.RUNNING || run.status() == RunStatus.STOPPING;
        return underWay ? Times.age(Duration.ofMillis(run.activeMs())) : times.since(since(run));
    }

    static Instant since(Run run) {
        return run.pause()
                .map(Pause::since)
                .or(() -> run.waiting().flatMap(waiting -> run.last()).map(LastVerdict::at))
                .or(run::endedAt)
                .orElse(run.createdAt());
    }

    /** Returns in one line why the run waits, what it does, or how it ended. */
    static String why(Run run, Times times) {
        String why = reason(run, times);
        return waits(run)
                .map(waits -> why.isEmpty() ? waits : waits + "; " + why)
                .orElse(why);
    }

    /** Returns e.g. {@code waits for n1, silent 3 m}. */
    public static Optional<String> waits(Run run) {
        return run.waitsFor().map(node -> "waits for " + Words.oneLine(node));
    }

    private static String reason(Run run, Times times) {
        if (!run.asks().isEmpty()) {
            return asked(run.asks().get(0));
        }
        if (run.pause().isPresent()) {
            return paused(run.pause().get());
        }
        if (run.resumeAt().isPresent()) {
            return waiting(run, times).orElseThrow();
        }
        if (run.termination().isPresent()) {
            Termination termination = run.termination().get();
            return termination.success() ? "" : Words.shown(termination.summary());
        }
        return run.activity()
                .map(Activity::text)
                .map(text -> Columns.cut(Words.shown(text), MOST_ACTIVITY))
                .or(() -> run.position().stepId())
                .orElse("");
    }

    /** Returns e.g. {@code build.1.dev.1 asks (ask-41): Which port? (8080 / 9090)}. */
    public static String asked(OpenAsk ask) {
        String choices = ask.choices().isEmpty() ? "" : " (" + String.join(" / ", ask.choices()) + ")";
        return Words.shown(ask.stepId() + " asks (" + ask.askId() + "): " + ask.question() + choices);
    }

    /**
     * Returns the words for a subtype, e.g. {@code result missing or invalid} for {@code error_schema_validation}. An
     * unknown subtype is returned as it is.
     */
    public static String ending(String subtype) {
        return StandardReason.ofSubtype(subtype).map(StandardReason::words).orElse(Words.oneLine(subtype));
    }

    private static String paused(Pause pause) {
        if (!pause.questions().isEmpty()) {
            return Amounts.count(pause.questions().size(), "question") + ": "
                    + Words.shown(String.join(" / ", pause.questions()));
        }
        String said = pause.keyConcern().orElse(pause.message());
        String detail = pause.detail().map(finer -> " (" + finer + ")").orElse("");
        return pause.reason().words() + detail + (said.isBlank() ? "" : ": " + Words.shown(said));
    }

    /** Returns why a run ended without success: words, codes, and the summary if it says more. */
    public static String ended(Termination termination) {
        String summary = termination
                .summaryAfterReason()
                .map(text -> ", " + Words.shown(text))
                .orElse("");
        return Words.oneLine(termination.reason()) + summary;
    }

    /** Returns e.g. {@code dev: 529 Overloaded; resumes automatically at 15:30:00, in 24s}; empty without such a time. */
    public static Optional<String> waiting(Run run, Times times) {
        String cause = run.waiting()
                .map(PendingWait::message)
                .map(Words::shown)
                .filter(text -> !text.isEmpty())
                .map(text -> text + "; ")
                .orElse("");
        Optional<PendingWait> cap = run.waiting().filter(wait -> wait.reason().equals(LaunchHold.Kind.CAP.wire()));
        if (cap.isPresent()) {
            return run.resumeAt()
                    .map(due -> "waits for cap " + Words.oneLine(cap.get().detail()) + " until " + times.moments(due)
                            + "; a higher cap by loopkeeper apply ends the wait");
        }
        Optional<String> pool = waitsForPool(run, times, Optional::empty);
        if (pool.isPresent()) {
            return pool;
        }
        String begins = run.status() == RunStatus.QUEUED ? "begins at " : "resumes automatically at ";
        return run.resumeAt().map(due -> cause + begins + times.moments(due));
    }

    /** Whether the run waits for a place of a pool. */
    public static boolean waitsForPool(Run run) {
        return run.waiting()
                .filter(wait -> wait.reason().equals(LaunchHold.Kind.POOL.wire()))
                .isPresent();
    }

    /**
     * Returns e.g. {@code waits for pool claude-max until 03:10, 4 before it} and what ends the wait; empty unless the
     * run waits for a pool.
     */
    public static Optional<String> waitsForPool(Run run, Times times, Supplier<Optional<Pools>> pools) {
        return run.waiting().filter(wait -> waitsForPool(run)).map(wait -> {
            String pool = Words.oneLine(wait.detail());
            OptionalInt before = pools.get()
                    .map(known -> known.before(wait.detail(), run.runId()))
                    .orElse(OptionalInt.empty());
            String position =
                    before.isEmpty() ? "" : before.getAsInt() == 0 ? ", next" : ", " + before.getAsInt() + " before it";
            return run.resumeAt()
                            .map(due -> "waits for pool " + pool + " until " + times.moments(due))
                            .orElseGet(() -> Words.shown(wait.message()))
                    + position
                    + LaunchHold.poolRemedy(pool, wait.message());
        });
    }

    /** Returns a sign that distinguishes statuses without colours. */
    static String sign(RunStatus status) {
        return switch (status) {
            case QUEUED -> ".";
            case RUNNING -> ">";
            case WAITING -> "~";
            case PAUSED -> "?";
            case STOPPING -> "x";
            case COMPLETED -> "+";
            case STOPPED -> "#";
            case FAILED -> "!";
        };
    }
}
