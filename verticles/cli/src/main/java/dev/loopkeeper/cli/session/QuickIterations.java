package dev.loopkeeper.cli.session;

import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepKind;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.step.StepStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Shortens the progress of one run: after the first iterations, an iteration that ends within seconds and without a failed
 * agent gets one line. The lines of a longer one are held back until {@link #due}.
 */
public final class QuickIterations {
    /** This many iterations are printed in full. */
    static final int FULL = 10;

    static final Duration QUICK = Duration.ofSeconds(2);

    private final ProgressLines lines;
    private final LongSupplier nanos;
    private final List<String> held = new ArrayList<>();
    private boolean holds;
    private long heldNanos;
    private int iterations;

    public QuickIterations(ProgressLines lines) {
        this(lines, System::nanoTime);
    }

    QuickIterations(ProgressLines lines, LongSupplier nanos) {
        this.lines = lines;
        this.nanos = nanos;
    }

    /** Returns the lines to print after this message, in order. */
    public List<String> of(FeedMessage message) {
        Optional<RunEvent> event = message.event();
        if (event.filter(IterationStarted.class::isInstance).isPresent()) {
            begin();
        }
        List<String> own = lines.of(message);
        if (!holds) {
            return own;
        }
        if (event.filter(IterationFinished.class::isInstance).isPresent()) {
            held.clear();
            holds = false;
            return own;
        }
        held.addAll(own);
        return event.filter(QuickIterations::isOrdinary).isPresent() || own.isEmpty() ? List.of() : release();
    }

    /** Returns the lines that were held back long enough; to be called about every second. */
    public List<String> due() {
        return holds && nanos.getAsLong() - heldNanos >= QUICK.toNanos() ? release() : List.of();
    }

    private void begin() {
        iterations++;
        holds = iterations > FULL;
        heldNanos = nanos.getAsLong();
    }

    private List<String> release() {
        List<String> released = List.copyOf(held);
        held.clear();
        holds = false;
        return released;
    }

    private static boolean isOrdinary(RunEvent event) {
        return event instanceof IterationStarted
                || event instanceof StepStarted
                || (event instanceof StepFinished finished
                        && (finished.result().status() == StepStatus.COMPLETED
                                || finished.slot().kind() == StepKind.CHECK));
    }
}
