package dev.loopkeeper.scheduler;

import dev.loopkeeper.policy.CapUse;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoreChannels.CapUses;
import dev.loopkeeper.store.StoreChannels.GetCaps;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.SingleFlight;
import dev.loopkeeper.work.WallTimer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Permits launches below the caps that limit their runs while their pools have a place. Used from one context
 * only, but for the gate.
 */
final class LaunchPermits implements LaunchGates {
    private static final Logger LOG = LoggerFactory.getLogger(LaunchPermits.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Supplier<Policy> policy;
    private final RunActors runs;
    private final PoolPlaces places;
    private final CapNotices notices;
    /** Positions that wait for a permit, by run. */
    private final Map<String, Set<RunCommand.AskPermit>> waiting = new HashMap<>();

    private final SingleFlight<Void> reads = new SingleFlight<>(this::read);
    private Optional<WallTimer> next = Optional.empty();

    LaunchPermits(Scheduler scheduler) {
        this.vertx = scheduler.vertx;
        this.policy = scheduler.policy;
        this.runs = scheduler.actors;
        this.places = scheduler.places;
        this.notices = new CapNotices(runs::all);
    }

    /** Listens for changes of the caps and of their use. */
    Future<Void> begin() {
        return StoreChannels.CAP_USE_CHANGED
                .listen(vertx.eventBus(), changed -> {
                    notices.changed(changed);
                    lookAgain();
                })
                .completion();
    }

    /** Any thread may call this. */
    @Override
    public boolean guards(RunState run, String agent) {
        return places.guards(run, agent) || isCapped(run);
    }

    private boolean isCapped(RunState run) {
        return policy.get().caps().stream()
                .anyMatch(cap ->
                        cap.match().fits(run.manifest().name(), run.plan().workspace()));
    }

    /** Answers with {@link RunInput.Permitted} once the launch is possible, and with {@link RunInput.Held} until then. */
    void ask(RunActor run, RunCommand.AskPermit asked) {
        if (isCapped(run.state())) {
            waiting.computeIfAbsent(run.runId(), first -> new HashSet<>()).add(asked);
            reads.run();
        } else {
            admit(run, asked);
        }
    }

    private void admit(RunActor run, RunCommand.AskPermit asked) {
        if (places.guards(run.state(), asked.agent())) {
            places.ask(run.state(), asked);
        } else {
            run.deliver(new RunInput.Permitted(Instants.now(), Set.of(asked.slot())));
        }
    }

    /**
     * Permits a launch that has its place. A cap that was reached while the run waited for the place holds the launch,
     * and the place is returned.
     *
     * @param waited whether the run did not get the place at once
     */
    Future<?> granted(RunActor run, RunCommand.AskPermit asked, boolean waited) {
        Future<Boolean> belowCaps = waited && isCapped(run.state())
                ? StoreChannels.CAP_USE
                        .ask(vertx.eventBus(), new GetCaps(), PATIENCE)
                        .map(use -> hold(run.state(), use.uses()).isEmpty())
                        .otherwise(false)
                : Future.succeededFuture(true);
        return belowCaps.compose(free -> {
            if (free) {
                return run.report(new RunInput.Permitted(Instants.now(), Set.of(asked.slot())));
            }
            vertx.runOnContext(returned -> ask(run, asked));
            return Future.succeededFuture();
        });
    }

    private void lookAgain() {
        if (!waiting.isEmpty()) {
            reads.run();
        }
    }

    /** What is asked in the meantime is answered by the next read, which includes what that run has used. */
    private Future<Void> read() {
        Map<String, Set<RunCommand.AskPermit>> asked = new HashMap<>();
        waiting.forEach((runId, requests) -> asked.put(runId, Set.copyOf(requests)));
        return StoreChannels.CAP_USE
                .ask(vertx.eventBus(), new GetCaps(), PATIENCE)
                .<Void>map(use -> {
                    answer(asked, use);
                    return null;
                })
                .onFailure(cause -> {
                    LOG.warn("no step is launched under a cap until its use can be read: {}", cause.getMessage());
                    vertx.setTimer(RETRY_AFTER.toMillis(), due -> lookAgain());
                });
    }

    private void answer(Map<String, Set<RunCommand.AskPermit>> due, CapUses use) {
        Set<Instant> ends = new HashSet<>();
        due.forEach((runId, requests) -> {
            Optional<RunActor> run = runs.loaded(runId)
                    .filter(known -> RunSlots.holds(known.state().condition()));
            Optional<LaunchHold> hold = run.flatMap(known -> hold(known.state(), use.uses()));
            if (hold.isEmpty()) {
                granted(runId, requests);
            }
            hold.flatMap(LaunchHold::resumeAt).ifPresent(ends::add);
            run.ifPresent(known -> hold.ifPresentOrElse(
                    held -> known.deliver(new RunInput.Held(Instants.now(), held)),
                    () -> requests.forEach(asked -> admit(known, asked))));
        });
        next.ifPresent(WallTimer::cancel);
        next = ends.stream().min(Comparator.naturalOrder()).map(end -> WallTimer.at(vertx, end, this::lookAgain));
    }

    private void granted(String runId, Set<RunCommand.AskPermit> requests) {
        waiting.computeIfPresent(runId, (run, known) -> {
            known.removeAll(requests);
            return known.isEmpty() ? null : known;
        });
    }

    private static Optional<LaunchHold> hold(RunState run, List<CapUse> uses) {
        return CapUse.awaited(uses, run.manifest().name(), run.plan().workspace())
                .map(use -> new LaunchHold(
                        LaunchHold.Kind.CAP,
                        use.cap().name(),
                        "cap " + use.cap().name() + " is reached: "
                                + Caps.Entry.of(use, 0).text() + " used",
                        Optional.of(use.window().end())));
    }
}
