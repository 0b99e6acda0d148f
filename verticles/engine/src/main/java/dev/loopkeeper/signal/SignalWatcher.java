package dev.loopkeeper.signal;

import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.contract.SignalChannels.PrepareSignal;
import dev.loopkeeper.contract.SignalChannels.ReadSignal;
import dev.loopkeeper.contract.SignalChannels.ResolveSignals;
import dev.loopkeeper.contract.SignalChannels.SignalLocation;
import dev.loopkeeper.contract.SignalChannels.SignalSeen;
import dev.loopkeeper.contract.SignalChannels.SignalsResolved;
import dev.loopkeeper.contract.SignalChannels.WatchSignal;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Watches the signal files of running steps and reads them in the end. Used from one context only. */
final class SignalWatcher {
    private static final long RESCAN_MILLIS = 250;
    /** Most steps end right after their signal, which is then read and recorded once, at the end. */
    private static final long LOOK_AFTER_MILLIS = 100;

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NO_TIMER = -1;
    private static final long READ_SECONDS = 10;

    private final class Watched {
        private final SignalLocation location;
        /** Hash of the last reported signal; a hint lost to a collision is still read at the end of the step. */
        private int reported;

        private long quietUntil = System.nanoTime();
        private final SingleFlight<Void> looks = new SingleFlight<>(this::look);
        private final File file;
        private volatile List<Long> seen = List.of();
        private long due = NO_TIMER;

        Watched(SignalLocation location) {
            this.location = location;
            this.file = Path.of(location.workspace())
                    .resolve(location.file())
                    .normalize()
                    .toFile();
        }

        /** Time and length: by them most signals that did not change are known without being read. Blocking. */
        private List<Long> facts() {
            return List.of(file.lastModified(), file.length());
        }

        private boolean hasChanged() {
            return !facts().equals(seen);
        }

        /** Changes until then are seen by the same look: an agent may rewrite a large signal without end. */
        private void lookSoon() {
            if (due == NO_TIMER) {
                due = vertx.setTimer(Math.max(LOOK_AFTER_MILLIS, quietMillis()), fired -> {
                    due = NO_TIMER;
                    looks.run();
                });
            }
        }

        private void forget() {
            if (due != NO_TIMER && vertx.cancelTimer(due)) {
                due = NO_TIMER;
            }
        }

        private long quietMillis() {
            return TimeUnit.NANOSECONDS.toMillis(quietUntil - System.nanoTime());
        }

        private Future<Void> look() {
            if (quietMillis() > 0) { // requested during a look that found a signal
                lookSoon();
                return Future.succeededFuture();
            }
            return isWanted()
                    ? workers.executeBlocking(() -> reading(this), false)
                            .onSuccess(this::looked)
                            .mapEmpty()
                    : Future.succeededFuture();
        }

        private void looked(SignalReading reading) {
            if (isWanted() && reading instanceof SignalReading.Valid valid) {
                quietUntil = System.nanoTime() + PAUSE_NANOS;
                int hash = valid.signal().raw().hashCode();
                if (hash != reported) {
                    reported = hash;
                    listener.accept(new SignalSeen(location.runId(), location.stepId(), valid.signal()));
                }
            }
        }

        private boolean isWanted() {
            return watched.get(location.key()) == this;
        }
    }

    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final StepSignals signals;
    private final Consumer<SignalSeen> listener;
    private final long rescan;
    private final Map<String, Watched> watched = new HashMap<>();
    private final SingleFlight<Void> rescans = new SingleFlight<>(this::rescan);

    SignalWatcher(Vertx vertx, WorkerExecutor workers, Path data, Consumer<SignalSeen> listener) {
        this.vertx = vertx;
        this.workers = workers;
        this.signals = new StepSignals(data);
        this.listener = listener;
        this.rescan = vertx.setPeriodic(RESCAN_MILLIS, fired -> rescans.run());
    }

    private Future<Void> rescan() {
        List<Watched> open = List.copyOf(watched.values());
        return open.isEmpty()
                ? Future.succeededFuture()
                : workers.executeBlocking(
                                () -> open.stream().filter(Watched::hasChanged).toList(), false)
                        .onSuccess(changed -> changed.forEach(Watched::lookSoon))
                        .mapEmpty();
    }

    /** See {@link ResolveSignals}. */
    Future<SignalsResolved> resolve(ResolveSignals question) {
        return workers.executeBlocking(
                () -> {
                    SignalIdentities identities = new SignalIdentities(Path.of(question.workspace()));
                    return new SignalsResolved(
                            question.files().stream().map(identities::of).toList());
                },
                false);
    }

    /** See {@link PrepareSignal}. */
    Future<PrepareSignal> prepare(PrepareSignal command) {
        return workers.executeBlocking(
                        () -> {
                            signals.prepare(command.location());
                            return command;
                        },
                        false)
                .recover(cause -> Future.failedFuture(ResourceExhaustedException.in(cause)
                        .<Throwable>map(full -> full)
                        .orElse(cause)));
    }

    /** See {@link WatchSignal}. */
    Future<WatchSignal> watch(WatchSignal command) {
        SignalLocation location = command.location();
        Watched step = watched.computeIfAbsent(location.key(), key -> new Watched(location));
        step.lookSoon();
        return Future.succeededFuture(command);
    }

    /** See {@link ReadSignal}. */
    Future<SignalReading> read(ReadSignal question) {
        SignalLocation location = question.location();
        Watched over = watched.remove(location.key());
        if (over != null) {
            over.forget();
        }
        return workers.executeBlocking(() -> signals.readAndKeep(location), false)
                .timeout(READ_SECONDS, TimeUnit.SECONDS);
    }

    void close() {
        vertx.cancelTimer(rescan);
        watched.values().forEach(Watched::forget);
        watched.clear();
    }

    /** Notes the facts before it reads, so that nothing written in between is missed. */
    private SignalReading reading(Watched step) throws IOException {
        List<Long> facts = step.facts();
        SignalFile.Found found = SignalFile.at(step.location).read();
        step.seen = facts;
        return signals.reading(step.location, found);
    }
}
