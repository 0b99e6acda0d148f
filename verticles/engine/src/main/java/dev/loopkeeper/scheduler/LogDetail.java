package dev.loopkeeper.scheduler;

import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStopping;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepRetrying;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.step.StepStatus;
import java.util.Set;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/** Marks log lines of events that an operator who watches the log does not need. */
public final class LogDetail {
    /** Marker of lines that a log on a terminal omits. */
    public static final Marker MARKER = MarkerFactory.getMarker("detail");

    private static final Marker NONE = MarkerFactory.getMarker("event");

    private static final Set<Class<?>> SHOWN = Set.of(
            RunCreated.class,
            RunQueued.class,
            RunResumed.class,
            RunPaused.class,
            RunWaiting.class,
            RunStopping.class,
            RunEnded.class,
            PhaseFinished.class,
            IterationFinished.class,
            ItemFinished.class,
            StepRetrying.class,
            AskOpened.class,
            AskClosed.class,
            BudgetWarning.class,
            Notice.class);

    private LogDetail() {}

    static Marker of(RunEvent event) {
        return SHOWN.contains(event.getClass()) || failed(event) ? NONE : MARKER;
    }

    /** Whether the event is a failed step; checks are exempt, since they fail until the loop is done. */
    private static boolean failed(RunEvent event) {
        return event instanceof StepFinished step
                && step.result().status() != StepStatus.COMPLETED
                && step.slot().kind() != StepKind.CHECK;
    }
}
