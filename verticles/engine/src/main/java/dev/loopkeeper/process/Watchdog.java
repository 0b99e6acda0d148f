package dev.loopkeeper.process;

import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.LastAsked;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hard and the idle limit of one step, in time in which it could run. Used from one context only. */
final class Watchdog {
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final long NO_TIMER = -1;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    /** The longest time that a killed runtime may forget, and the part of the limit that it may forget at most. */
    private static final Duration NOTED_EVERY = Duration.ofSeconds(10);

    private static final int NOTED_PART = 8;

    private static final Duration ASKING = Duration.ofSeconds(10);

    private final SupervisorContext around;
    private final StepOrder order;
    private final StepFolder folder;
    private final Progress progress;
    private final Consumer<ExitCause> expired;
    private long timer = NO_TIMER;
    private boolean released;
    private boolean failing;
    private RunningTime time;
    /** The note of an earlier runtime, until its last change is compared. */
    private Optional<RunningTime.Look> adopted = Optional.empty();
    /** When the next check for changes is due, in running time; absent without an idle limit, and during a check. */
    private Optional<Duration> idleLook = Optional.empty();

    private Duration noted = Duration.ZERO;

    /** @param expired receives the limit that has passed */
    Watchdog(SupervisorContext around, StepOrder order, StepFolder folder, Consumer<ExitCause> expired) {
        this.around = around;
        this.order = order;
        this.folder = folder;
        this.progress = Progress.of(order, folder, around.options().data());
        this.expired = expired;
    }

    /** Starts counting; for an adopted step, continues the count of the earlier runtime. */
    void begin() {
        if (order.limits().timeout().isEmpty() && order.limits().idleTimeout().isEmpty()) {
            return;
        }
        around.workers()
                .executeBlocking(folder::ran, false)
                .otherwise(Optional.empty())
                .onSuccess(this::begin);
    }

    /** Checks an adopted step at once: its idle time was that of the note, as far as the earlier runtime counted. */
    private void begin(Optional<StepFolder.Ran> before) {
        RunningTime.Counted counted = before.map(StepFolder.Ran::counted).orElse(RunningTime.Counted.NOTHING);
        time = new RunningTime(System::nanoTime, counted);
        noted = counted.ran();
        adopted = before.map(note -> new RunningTime.Look(counted.ran(), note.at()));
        idleLook = order.limits().idleTimeout().map(limit -> adopted.isPresent() ? counted.ran() : limit);
        tick();
    }

    void release() {
        released = true;
        around.vertx().cancelTimer(timer);
    }

    private void tick() {
        if (released) {
            return;
        }
        Duration ran = time.ran();
        if (order.limits().timeout().filter(limit -> ran.compareTo(limit) >= 0).isPresent()) {
            expired.accept(ExitCause.TIMEOUT);
            return;
        }
        if (idleLook.filter(due -> ran.compareTo(due) >= 0).isPresent()) {
            idleLook = Optional.empty();
            look();
        }
        note(ran);
        Duration wait = Stream.concat(order.limits().timeout().stream(), idleLook.stream())
                .map(due -> due.minus(ran))
                .filter(left -> left.compareTo(RunningTime.EVERY) < 0)
                .min(Duration::compareTo)
                .orElse(RunningTime.EVERY);
        timer = around.vertx().setTimer(wait.toMillis() + 1, fired -> tick());
    }

    private void look() {
        // Before the look: this thread may stand still while the agent works.
        RunningTime.Look look = adopted.orElseGet(() -> time.look(around.clock().instant()));
        around.workers()
                .executeBlocking(progress::lastChange, false)
                .compose(changed -> lastAsked().map(asked -> asked.isAfter(changed) ? asked : changed))
                .map(changed -> time.idle(look, changed))
                .onComplete(idle -> judge(look.ran(), idle), this::lookAgain);
    }

    /** When the step last waited for a person, which is not idle; never, where no scheduler runs. */
    private Future<Instant> lastAsked() {
        LastAsked question = new LastAsked(order.runId(), order.stepId(), Instant.EPOCH);
        return AskChannels.LAST
                .ask(around.vertx().eventBus(), question, ASKING)
                .map(LastAsked::at)
                .recover(cause -> RequestChannel.hasNoHandler(cause)
                        ? Future.succeededFuture(Instant.EPOCH)
                        : Future.failedFuture(cause));
    }

    private void judge(Duration lookedAt, Duration idle) {
        failing = false;
        adopted = Optional.empty();
        Duration limit = order.limits().idleTimeout().orElseThrow();
        if (released) {
            return;
        }
        if (idle.compareTo(limit) >= 0) {
            expired.accept(ExitCause.IDLE);
        } else {
            idleLook = Optional.of(lookedAt.plus(limit).minus(idle));
        }
    }

    /** A step that cannot be checked is not idle. */
    private void lookAgain(Throwable unknown) {
        if (!failing) {
            failing = true;
            LOG.warn("the progress of step {} cannot be checked, retrying every second", order.key(), unknown);
        }
        if (!TransientFailure.isShutdown(unknown)) {
            idleLook = Optional.of(time.ran().plus(LOOK_AGAIN));
        }
    }

    /** Records the running time for a runtime that adopts the step. */
    private void note(Duration ran) {
        Duration most = Stream.concat(order.limits().timeout().stream(), order.limits().idleTimeout().stream())
                .map(limit -> limit.dividedBy(NOTED_PART))
                .reduce(NOTED_EVERY, (one, other) -> one.compareTo(other) < 0 ? one : other);
        if (ran.minus(noted).compareTo(most) >= 0) {
            noted = ran;
            RunningTime.Counted counted = time.counted();
            around.workers()
                    .executeBlocking(() -> noted(counted), false)
                    .onFailure(unwritten ->
                            LOG.debug("the running time of step {} could not be recorded", order.key(), unwritten));
        }
    }

    private Void noted(RunningTime.Counted counted) throws IOException {
        folder.noteRan(counted);
        return null;
    }
}
