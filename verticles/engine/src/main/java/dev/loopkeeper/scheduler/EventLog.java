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
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.step.StepStatus;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;
import org.slf4j.event.Level;

/**
 * Logs the events of runs: where a run begins, pauses, resumes and ends at INFO, every other event at DEBUG. Events that
 * an operator who watches the log does not need are marked.
 */
public final class EventLog {
    /** Name of the logger. */
    public static final String NAME = "dev.loopkeeper.events";
    /** Marker of lines that a log on a terminal omits. */
    public static final Marker MARKER = MarkerFactory.getMarker("detail");

    private static final Marker NONE = MarkerFactory.getMarker("event");

    private static final Logger LOG = LoggerFactory.getLogger(NAME);
    /** Longest event text in the log, in characters: the text of an agent may be a megabyte. */
    private static final int LONGEST = 1_000;

    private static final Set<Class<?>> OUTLINE =
            Set.of(RunCreated.class, RunPaused.class, RunResumed.class, RunEnded.class);

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

    private EventLog() {}

    static boolean isEnabled() {
        return LOG.isInfoEnabled();
    }

    static void write(String runId, RunEvent event) {
        LOG.atLevel(OUTLINE.contains(event.getClass()) ? Level.INFO : Level.DEBUG)
                .addMarker(marker(event))
                .log("run {}: {}", runId, OneLine.of(event.text(), LONGEST));
    }

    private static Marker marker(RunEvent event) {
        return SHOWN.contains(event.getClass()) || failed(event) ? NONE : MARKER;
    }

    /** Whether the event is a failed step; checks are exempt, since they fail until the loop is done. */
    private static boolean failed(RunEvent event) {
        return event instanceof StepFinished step
                && step.result().status() != StepStatus.COMPLETED
                && step.position().kind() != StepKind.CHECK;
    }
}
