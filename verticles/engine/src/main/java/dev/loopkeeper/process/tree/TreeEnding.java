package dev.loopkeeper.process.tree;

import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.contract.process.KillReceipt.Outcome;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.Trouble;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends one step's tree: the polite signal to everyone, KILL to whoever is left after the grace, and looks again until
 * nobody was found twice in a row, at least once of them among all who were listed, or once when its control group is
 * empty too. It looks as soon as the last of those whom it knows is gone, and now and then for others whom they have
 * started. A look that fails proves nothing: it is repeated for as long as the machine is in trouble. Nor does one in which
 * somebody ended before he was looked at: as long as there is no other it is repeated, though no longer than a killed
 * process is waited for. Used from one context only; a look and its signals run on a worker, one at a time.
 */
public final class TreeEnding {
    private static final Logger LOG = LoggerFactory.getLogger(TreeEnding.class);
    private static final int CLEAN_LOOKS = 2;

    /**
     * What a look found.
     *
     * @param deserted whether the control group is empty too: one look may miss who forks while it lasts, two may not, and
     *     an empty control group is no matter of luck
     * @param whole whether nobody can have been missed
     * @param silent how many of the living end without our being told
     */
    private record Found(int living, boolean deserted, boolean whole, int silent) {}

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long LONGEST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_IN_TROUBLE_MILLIS = 1000;
    private static final long NO_TIMER = -1;

    private final TreeContext context;
    private final ProcessTree tree;
    private final StopSpec stop;
    private final KilledProcesses killed = new KilledProcesses();
    private final Departures departures;
    private Optional<Callable<Void>> note = Optional.empty();
    private Runnable lastly = () -> {};
    private final Promise<KillReceipt> receipt = Promise.promise();
    private final String runId;
    private final Optional<String> stepId;
    private final Instant requestedAt;

    private boolean killing;
    /** Whether everyone who was there has been sent the polite signal. */
    private boolean asked;
    /** By the monotonic clock: a wall clock that is set must not stretch a grace. */
    private long deadlineNanos;

    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);
    private boolean troubled;
    private OptionalLong flawedSinceNanos = OptionalLong.empty();
    private int cleanLooks;
    /** Whether one of the clean looks in a row was whole: who began after that was born of nobody of the step. */
    private boolean wholeLook;

    private long unsettledSinceNanos;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private long timer = NO_TIMER;

    public TreeEnding(TreeContext context, String runId, Optional<String> stepId, ProcessTree tree, StopSpec stop) {
        this.context = context;
        this.runId = runId;
        this.stepId = stepId;
        this.tree = tree;
        this.stop = stop;
        this.requestedAt = context.clock().instant();
        this.deadlineNanos = System.nanoTime() + stop.grace().toNanos();
        Context caller = context.vertx().getOrCreateContext();
        this.departures = new Departures(ExitWatch.shared(), () -> caller.runOnContext(gone -> nudge()));
    }

    /** Does this first, on the worker that sends the first signal; that it fails keeps nobody alive. */
    public TreeEnding noting(Callable<Void> first) {
        note = Optional.of(first);
        return this;
    }

    /**
     * Does this on the worker whose look finds that everybody is gone, before the receipt; not when it ends otherwise. It
     * should not fail: then the look counts as failed.
     */
    public TreeEnding concluding(Runnable last) {
        lastly = last;
        return this;
    }

    /** Begins; {@code now} skips the polite signal and the grace. */
    public TreeEnding begin(boolean now) {
        if (now || stop.grace().isZero()) {
            startKilling();
        }
        looks.run();
        return this;
    }

    /**
     * What became of everyone. A process that would not die is an outcome, and so is no trouble of the machine: it fails
     * only for a flaw of ours, because the runtime ends, or with {@link MissedProcessesException}.
     */
    public Future<KillReceipt> receipt() {
        return receipt.future();
    }

    /** Who would not die, once the receipt says so. */
    public Map<Identity, String> survivors() {
        return killed.left();
    }

    /** What is known so far, as of an ending that failed: whoever was not seen gone may live. */
    public KillReceipt unverified() {
        return new KillReceipt(
                runId, stepId, requestedAt, context.clock().instant(), Outcome.survivors, killed.processes());
    }

    /** Cuts the grace short. */
    public void hasten() {
        if (!killing && !receipt.future().isComplete()) {
            startKilling();
            nudge();
        }
    }

    /** Looks at once: something happened. */
    public void nudge() {
        if (looks.isRunning() || timer != NO_TIMER) {
            looks.run();
        }
    }

    private void startKilling() {
        killing = true;
        deadlineNanos = patience();
        pauseMillis = FIRST_PAUSE_MILLIS;
    }

    private long patience() {
        return System.nanoTime() + context.killPatience().toNanos();
    }

    private Future<Void> look() {
        context.vertx().cancelTimer(timer);
        timer = NO_TIMER;
        boolean overdue = deadlineNanos - System.nanoTime() <= 0;
        boolean last = killing && overdue;
        if (asked && !killing && overdue) {
            startKilling();
        }
        String signal = killing ? Signals.KILL : stop.signal();
        int clean = cleanLooks + 1;
        boolean whole = wholeLook;
        return context.scanner()
                .take(tree.sinceTicks(), !tree.isLed(), snapshot -> act(snapshot, signal, clean, whole))
                .onSuccess(found -> judge(found, last))
                .onFailure(this::missed)
                .mapEmpty();
    }

    /**
     * Signals everyone who was not yet sent this signal.
     *
     * @param clean how many looks in a row will have found nobody if this one finds nobody
     * @param wholeBefore whether one of those before was whole
     */
    private Found act(ProcessSnapshot snapshot, String signal, int clean, boolean wholeBefore) {
        Map<Identity, String> living = tree.members(snapshot, context.processes());
        killed.markGone(living, context.clock().instant());
        takeNote();
        if (!signal.equals(Signals.KILL)) {
            noteMembers();
        }
        strikeAll(living, signal);
        if (signal.equals(Signals.KILL) && !living.isEmpty() && !tree.killEnclosed()) {
            LOG.debug("no control group to kill for run {}", runId);
        }
        tree.requireRecord();
        long told = living.keySet().stream().filter(departures::isAwaited).count();
        boolean deserted = living.isEmpty() && tree.deserted();
        boolean whole = tree.sawAll();
        if (deserted || (living.isEmpty() && isEnd(clean, wholeBefore || whole))) {
            lastly.run();
        }
        return new Found(living.size(), deserted, whole, living.size() - (int) told);
    }

    private static boolean isEnd(int cleanLooks, boolean whole) {
        return cleanLooks >= CLEAN_LOOKS && whole;
    }

    private void takeNote() {
        Optional<Callable<Void>> due = note;
        note = Optional.empty();
        if (due.isPresent()) {
            try {
                due.get().call();
            } catch (Exception failed) {
                LOG.warn(
                        "run {}: who asked for the end of {} could not be noted: {}", runId, name(), failed.toString());
            }
        }
    }

    /** Whoever gets only a polite signal may outlive this runtime. */
    private void noteMembers() {
        try {
            tree.note();
        } catch (IOException failed) {
            LOG.warn("run {}: who is left of {} could not be noted: {}", runId, name(), failed.toString());
        }
    }

    /** Whoever cannot be struck now spares nobody else. */
    private void strikeAll(Map<Identity, String> living, String signal) {
        Optional<UncheckedIOException> unknown = Optional.empty();
        for (Map.Entry<Identity, String> member : living.entrySet()) {
            try {
                strike(member.getKey(), member.getValue(), signal);
            } catch (UncheckedIOException trouble) {
                unknown = Optional.of(trouble);
            }
        }
        if (unknown.isPresent()) {
            throw unknown.get();
        }
    }

    private void strike(Identity identity, String foundBy, String signal) {
        if (!killed.knows(identity)) {
            killed.add(identity, context.processes().command(identity.pid()), foundBy);
        }
        if (!killed.wasSent(identity, signal)
                && context.signals().send(identity, signal, handle -> departures.await(identity, handle))) {
            killed.sent(identity, signal);
        }
    }

    /** @param last whether whoever lives had all its time when the look began */
    private void judge(Found found, boolean last) {
        seeAgain();
        asked = true;
        boolean clean = found.living() == 0;
        cleanLooks = clean ? cleanLooks + 1 : 0;
        wholeLook = clean && (wholeLook || found.whole());
        if (isEnd(cleanLooks, wholeLook) || found.deserted()) {
            finish(Outcome.gone);
        } else if (cleanLooks >= CLEAN_LOOKS) {
            lookOn();
        } else if (clean) {
            looks.run();
        } else if (!looks.isAskedAgain()) {
            waitOrEscalate(found.silent() > 0, last);
        }
    }

    /**
     * What a look found may be old when it is judged: this thread may have stood still meanwhile.
     *
     * @param silent whether nobody tells when the last one is gone
     */
    private void waitOrEscalate(boolean silent, boolean last) {
        long leftNanos = deadlineNanos - System.nanoTime();
        if (leftNanos > 0) {
            // Not before the deadline: who looks then looks in order to kill.
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1;
            long pause = silent ? pauseMillis : LONGEST_PAUSE_MILLIS;
            timer = context.vertx().setTimer(Math.min(pause, leftMillis), fired -> looks.run());
            pauseMillis = Math.min(pauseMillis * 2, LONGEST_PAUSE_MILLIS);
        } else if (!killing) {
            startKilling();
            looks.run();
        } else if (last) {
            finish(Outcome.survivors);
        } else {
            timer = context.vertx().setTimer(LONGEST_PAUSE_MILLIS, fired -> looks.run());
        }
    }

    /** Nobody was found, and each look may have missed somebody. */
    private void lookOn() {
        long now = System.nanoTime();
        if (cleanLooks == CLEAN_LOOKS) {
            unsettledSinceNanos = now;
            pauseMillis = FIRST_PAUSE_MILLIS;
        }
        if (now - unsettledSinceNanos > context.killPatience().toNanos()) {
            MissedProcessesException unknown = new MissedProcessesException();
            LOG.warn("run {}: what is left of {} is not known: {}", runId, name(), unknown.getMessage());
            giveUp(unknown);
            return;
        }
        timer = context.vertx().setTimer(pauseMillis, fired -> looks.run());
        pauseMillis = Math.min(pauseMillis * 2, LONGEST_PAUSE_MILLIS);
    }

    private void giveUp(Throwable cause) {
        looks.close();
        departures.close();
        receipt.tryFail(cause);
    }

    private void finish(Outcome outcome) {
        looks.close();
        departures.close();
        receipt.complete(
                new KillReceipt(runId, stepId, requestedAt, context.clock().instant(), outcome, killed.processes()));
    }

    /** Who was not seen is neither gone nor alive. */
    private void missed(Throwable cause) {
        cleanLooks = 0;
        wholeLook = false;
        if (Trouble.isEnd(cause) || (!Trouble.is(cause) && isLasting(cause))) {
            giveUp(cause);
            return;
        }
        if (!troubled) {
            troubled = true;
            LOG.warn(
                    "run {}: what is left of {} cannot be looked for, and is until it can be: {}",
                    runId,
                    name(),
                    cause.toString());
        }
        timer = context.vertx().setTimer(pauseMillis, fired -> looks.run());
        pauseMillis = Math.min(pauseMillis * 2, LONGEST_PAUSE_IN_TROUBLE_MILLIS);
    }

    /** Whether a flaw of ours has been there for so long that it will stay. */
    private boolean isLasting(Throwable flaw) {
        long now = System.nanoTime();
        if (flawedSinceNanos.isEmpty()) {
            LOG.error("run {}: looking for what is left of {} broke", runId, name(), flaw);
            flawedSinceNanos = OptionalLong.of(now);
        }
        return now - flawedSinceNanos.getAsLong() > context.killPatience().toNanos();
    }

    /** Whoever must be killed still has all the time that takes. */
    private void seeAgain() {
        flawedSinceNanos = OptionalLong.empty();
        if (troubled) {
            troubled = false;
            pauseMillis = FIRST_PAUSE_MILLIS;
            deadlineNanos = killing ? patience() : deadlineNanos;
            LOG.info("run {}: what is left of {} can be looked for again", runId, name());
        }
    }

    private String name() {
        return stepId.orElse("a command");
    }
}
