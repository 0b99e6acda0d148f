package dev.loopkeeper.checkpoint;

import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStarted;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.StepSignal;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.run.TerminalExhausted;
import dev.loopkeeper.run.TerminalExhaustionCleared;
import dev.loopkeeper.step.SweptProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One line for people per event, e.g. {@code iteration 3 of build: PROGRESS}. */
public final class EventText {
    private static final Map<Class<? extends RunEvent>, Function<RunEvent, String>> LINES = new LinkedHashMap<>();

    static {
        line(RunCreated.class, e -> "created in " + e.workspace());
        line(
                RunQueued.class,
                e -> "waits for a place, asked for by " + e.by() + ": "
                        + e.action().wire());
        line(RunStarted.class, e -> "started");
        line(
                RunResumed.class,
                e -> "resumed by " + e.by() + ": "
                        + e.action().wire()
                        + e.overridden()
                                .map(lacked -> ", forced although it lacked " + lacked)
                                .orElse(""));
        line(
                RunPausing.class,
                e -> "pausing, " + e.pause().reason().wire() + ": " + e.pause().message());
        line(
                RunPaused.class,
                e -> "paused, " + e.reason().wire()
                        + e.detail().map(detail -> " (" + detail + ")").orElse("") + ": "
                        + e.pause().message());
        line(RunWaiting.class, e -> "waiting until " + e.resumeAt() + ": " + e.message());
        line(
                RunStopping.class,
                e -> "stopping" + (e.graceful() ? " when what runs is done" : "") + ": "
                        + e.cause().summary());
        line(
                RunEnded.class,
                e -> e.status().wire() + ", " + e.termination().subtype() + ": "
                        + e.termination().summary()
                        + e.termination().advice().map(advice -> "; " + advice).orElse(""));
        line(PhaseStarted.class, e -> "phase " + e.phase() + " (" + e.kind() + ")");
        line(PhaseFinished.class, e -> "phase " + e.phase() + " " + e.outcome().wire() + ": " + e.message());
        line(IterationStarted.class, e -> "iteration " + e.iteration() + " of " + e.phase() + attempt(e.attempt()));
        line(
                IterationFinished.class,
                e -> "iteration " + e.iteration() + " of " + e.phase() + ": "
                        + e.verdict().wire());
        line(ItemStarted.class, e -> "item " + e.item() + " of " + e.phase() + attempt(e.attempt()));
        line(
                ItemFinished.class,
                e -> "item " + e.item() + " of " + e.phase() + ": "
                        + e.outcome()
                                .map(outcome -> outcome.wire())
                                .orElse(e.status().wire())
                        + (e.isFinal() ? "" : ", to be tried again"));
        line(StepStarted.class, e -> "step " + e.stepId() + " started");
        line(StepUsage.class, e -> "step " + e.stepId() + " used " + usage(e));
        line(StepSignal.class, e -> "step " + e.stepId() + " signals " + e.signal());
        line(
                StepRetrying.class,
                e -> "step " + e.stepId() + " is tried again with " + e.agent() + " at " + e.dueAt() + ": "
                        + e.error().message());
        line(StepFinished.class, EventText::stepFinished);
        line(
                StepSwept.class,
                e -> "step " + e.stepId() + " left " + e.count() + " processes behind, now gone" + named(e.processes())
                        + (e.survivors().isEmpty() ? "" : "; survivors: " + String.join("; ", e.survivors())));
        line(BudgetWarning.class, e -> "budget warning, " + e.message());
        line(StopAsked.class, e -> "stop, " + e.cause().wire() + ": " + e.message());
        line(TerminalExhausted.class, e -> "terminal exhaustion, " + e.reasonCode() + ": " + e.summary());
        line(
                TerminalExhaustionCleared.class,
                e -> "terminal exhaustion " + e.cleared().exhaustion().reasonCode() + " cleared by "
                        + e.cleared().clearedBy());
        line(Notice.class, Notice::message);
    }

    private EventText() {}

    private static <E extends RunEvent> void line(Class<E> kind, Function<E, String> text) {
        LINES.put(kind, event -> text.apply(kind.cast(event)));
    }

    /** The line for this event, without its run and time. */
    public static String of(RunEvent event) {
        return LINES.get(event.getClass()).apply(event);
    }

    private static String attempt(int attempt) {
        return attempt > 1 ? ", attempt " + attempt : "";
    }

    private static String usage(StepUsage event) {
        var usage = event.usage();
        List<String> parts = new ArrayList<>();
        if (usage.inputTokens().isPresent() || usage.outputTokens().isPresent()) {
            parts.add(usage.inputTokens().orElse(0) + usage.outputTokens().orElse(0) + " tokens");
        }
        usage.turns().ifPresent(turns -> parts.add(turns + " turns"));
        usage.costUsd().ifPresent(cost -> parts.add(cost + " USD"));
        return String.join(", ", parts);
    }

    private static String stepFinished(StepFinished event) {
        var result = event.result();
        return "step " + event.stepId() + " " + result.status().wire()
                + (result.exitCode().isPresent() ? ", exit " + result.exitCode().getAsInt() : "") + ", "
                + result.durationMs() + " ms"
                + result.errorContext().map(error -> ": " + error.message()).orElse("");
    }

    private static String named(List<SweptProcess> processes) {
        return processes.isEmpty()
                ? ""
                : ": " + processes.stream().map(SweptProcess::text).collect(Collectors.joining("; "));
    }
}
