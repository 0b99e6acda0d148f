package dev.loopkeeper.scheduler;

import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.pool.CoolDown;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import dev.loopkeeper.rules.PoolRules;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims places of pools for the runs that are executed here, and reports to them what was granted. Used from one
 * context only.
 */
final class PoolPlaces implements LaunchGates {
    private static final Logger LOG = LoggerFactory.getLogger(PoolPlaces.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration RETURN_WITHIN = Duration.ofMillis(20);

    private final Scheduler scheduler;
    private final Vertx vertx;
    private final Supplier<Policy> policy;
    private final HomeContext home;
    private final Map<String, Claimant> claimants = new LinkedHashMap<>();
    private final Map<String, Queue> queues = new HashMap<>();
    private boolean looking;

    /** What a run uses and requires. */
    private static final class Claimant {
        private RunState state;
        /** Agents by the positions at which the run wants to launch them. */
        private final Map<String, String> asked = new LinkedHashMap<>();
        /** The same for launches whose permit the run has not decided on yet. */
        private final Map<String, String> offered = new HashMap<>();

        private Map<String, Share> claimed = Map.of();
        private Optional<LaunchHold> hold = Optional.empty();

        Claimant(RunState state) {
            this.state = state;
        }
    }

    /** Positions in one pool. */
    private record Share(Set<String> open, Set<String> asked) {
        static final Share NONE = new Share(Set.of(), Set.of());

        static Share empty() {
            return new Share(new HashSet<>(), new LinkedHashSet<>());
        }

        PoolInput of(RunState run) {
            return new PoolInput.Claims(
                    Instants.now(), run.runId(), run.manifest().priority(), open, asked);
        }
    }

    /** The inputs of a pool that are not durable yet, and its last known state. */
    private static final class Queue {
        private List<PoolInput> inputs = new ArrayList<>();
        private Promise<Void> durable = Promise.promise();
        private PoolState state = PoolState.EMPTY;
        /** Sends what may wait for a while. */
        private OptionalLong timer = OptionalLong.empty();

        private boolean storing;
        private boolean failed;
    }

    PoolPlaces(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.vertx = scheduler.vertx;
        this.policy = scheduler.policy;
        this.home = new HomeContext(vertx.getOrCreateContext());
    }

    @Override
    public boolean guards(RunState run, String agent) {
        return pool(run, agent).isPresent();
    }

    private Optional<String> pool(RunState run, String agent) {
        return Optional.ofNullable(run.manifest().agents().get(agent))
                .flatMap(spec -> policy.get().poolOf(spec))
                .map(Pool::name);
    }

    /** Claims a place for a launch, and answers when the run has it. */
    void ask(RunState state, RunCommand.AskPermit asked) {
        Claimant run = claimants.computeIfAbsent(state.runId(), id -> new Claimant(state));
        run.asked.put(asked.slot(), asked.agent());
        run.hold = Optional.empty();
        claim(run);
    }

    /** Returns what the run no longer needs in this state. Called before the commands of its decision are executed. */
    void decided(RunState state) {
        if (policy.get().pools().isEmpty() && !claimants.containsKey(state.runId())) {
            return;
        }
        Claimant run = claimants.computeIfAbsent(state.runId(), id -> new Claimant(state));
        run.state = state;
        if (!PoolRules.mayLaunch(state)) {
            run.asked.clear();
        }
        openSteps(state).forEach(step -> run.asked.remove(step.position().key()));
        if (state.condition().atRest() && state.resumeAt().isEmpty()) {
            leave(state.runId());
        }
        claim(run);
    }

    /** The run that met a limit does not return for the launch that tries. */
    private void leave(String runId) {
        queues.forEach((name, queue) -> {
            if (queue.state
                    .coolDown()
                    .filter(cool -> cool.runId().equals(runId))
                    .isPresent()) {
                put(name, new PoolInput.Left(Instants.now(), runId));
            }
        });
    }

    private static List<OpenStep> openSteps(RunState state) {
        return state.steps().values().stream()
                .filter(step -> step.position().kind() != StepKind.CHECK)
                .toList();
    }

    private void claim(Claimant run) {
        Map<String, Share> wanted = new HashMap<>();
        openSteps(run.state)
                .forEach(step -> pool(run.state, step.agent())
                        .ifPresent(name -> wanted.computeIfAbsent(name, share -> Share.empty())
                                .open()
                                .add(step.position().key())));
        Map<String, String> asked = new LinkedHashMap<>(run.asked);
        asked.putAll(run.offered);
        openSteps(run.state).forEach(step -> asked.remove(step.position().key()));
        asked.forEach((position, agent) -> pool(run.state, agent)
                .ifPresent(name -> wanted.computeIfAbsent(name, share -> Share.empty())
                        .asked()
                        .add(position)));
        Map<String, Share> before = run.claimed;
        run.claimed = wanted;
        Set<String> names = new HashSet<>(before.keySet());
        names.addAll(wanted.keySet());
        for (String name : names) {
            Share was = before.getOrDefault(name, Share.NONE);
            Share now = wanted.getOrDefault(name, Share.NONE);
            if (!was.equals(now)) {
                put(name, now.of(run.state));
                if (now.asked().isEmpty()
                        && queues.get(name).state.waitingRuns().isEmpty()) {
                    sendSoon(name);
                } else {
                    send(name);
                }
            } else if (run.hold.isEmpty() && !now.asked().isEmpty()) {
                answer(name);
            }
        }
        if (wanted.isEmpty() && run.offered.isEmpty()) {
            claimants.remove(run.state.runId(), run);
        }
    }

    private void put(String pool, PoolInput input) {
        queues.computeIfAbsent(pool, name -> new Queue()).inputs.add(input);
    }

    /** A place that no run waits for is returned with the claim of the next launch, if that follows at once. */
    private void sendSoon(String pool) {
        Queue queue = queues.get(pool);
        if (queue.timer.isEmpty()) {
            queue.timer = OptionalLong.of(vertx.setTimer(RETURN_WITHIN.toMillis(), due -> send(pool)));
        }
    }

    /** Makes the inputs of a pool durable, one transaction at a time, until none is left. */
    private void send(String pool) {
        Queue queue = queues.computeIfAbsent(pool, name -> new Queue());
        queue.timer.ifPresent(vertx::cancelTimer);
        queue.timer = OptionalLong.empty();
        if (queue.storing) {
            return;
        }
        List<PoolInput> inputs = queue.inputs.isEmpty() ? List.of(new PoolInput.Due(Instants.now())) : queue.inputs;
        Promise<Void> durable = queue.durable;
        queue.inputs = new ArrayList<>();
        queue.durable = Promise.promise();
        queue.storing = true;
        OptionalInt places = policy.get().pool(pool).map(Pool::places).orElse(OptionalInt.empty());
        home.bring(scheduler.store.changePool(pool, inputs, places)).onComplete(changed -> {
            queue.storing = false;
            queue.failed = changed.failed();
            if (changed.failed()) {
                LOG.warn(
                        "the places of pool {} cannot be stored yet: {}",
                        pool,
                        changed.cause().getMessage());
                queue.inputs.addAll(0, inputs);
                lookLater();
            } else {
                queue.state = changed.result();
                answer(pool);
                if (!queue.inputs.isEmpty()) {
                    send(pool);
                }
            }
            durable.handle(changed.mapEmpty());
        });
    }

    /** Reports to the runs that wait for this pool what was granted, and why the others wait. */
    private void answer(String pool) {
        Queue queue = queues.get(pool);
        LaunchHold hold = hold(pool, queue.state);
        for (Claimant run : List.copyOf(claimants.values())) {
            Share share = run.claimed.getOrDefault(pool, Share.NONE);
            for (String position : share.asked()) {
                if (queue.state.isGranted(run.state.runId(), position)) {
                    offer(run, position);
                } else {
                    announce(run, hold);
                }
            }
        }
    }

    private static LaunchHold hold(String pool, PoolState state) {
        Instant now = Instants.now();
        Optional<CoolDown> cool = state.coolDown();
        String why = cool.map(known -> ": " + known.reason()).orElse(LaunchHold.PLACES_IN_USE);
        return new LaunchHold(
                LaunchHold.Kind.POOL,
                pool,
                "waits for pool " + pool + why,
                cool.map(CoolDown::until).filter(now::isBefore));
    }

    /** A run that waits for two pools names the first one. */
    private void announce(Claimant run, LaunchHold hold) {
        boolean known = run.hold
                .filter(current -> current.equals(hold) || !current.detail().equals(hold.detail()))
                .isPresent();
        if (!known) {
            run.hold = Optional.of(hold);
            loaded(run.state.runId()).ifPresent(actor -> actor.deliver(new RunInput.Held(Instants.now(), hold)));
        }
        lookLater();
    }

    /** The claim stays until the run has decided, so that no other run gets the place in between. */
    private void offer(Claimant run, String position) {
        String runId = run.state.runId();
        String agent = run.asked.get(position);
        if (agent == null || run.offered.putIfAbsent(position, agent) != null) {
            return;
        }
        RunCommand.AskPermit asked = new RunCommand.AskPermit(position, agent);
        Future<?> decided = loaded(runId)
                .<Future<?>>map(actor -> scheduler.permits.granted(actor, asked, run.hold.isPresent()))
                .orElseGet(Future::succeededFuture);
        decided.onComplete(over -> {
            run.offered.remove(position);
            run.asked.remove(position);
            claim(run);
        });
    }

    /** Returns a run that may launch here. */
    private Optional<RunActor> loaded(String runId) {
        return scheduler.capacity.isClosed() ? Optional.empty() : scheduler.actors.loaded(runId);
    }

    /** One look a second for all runs that wait here. */
    private void lookLater() {
        if (!looking) {
            looking = true;
            vertx.timer(INTERVAL.toMillis()).onComplete(due -> {
                looking = false;
                look();
            });
        }
    }

    private void look() {
        Set<String> waited = new HashSet<>();
        claimants
                .values()
                .forEach(run -> run.claimed.forEach((name, share) -> {
                    if (!share.asked().isEmpty()) {
                        waited.add(name);
                    }
                }));
        boolean shared = scheduler.ownership.node().isPresent();
        queues.forEach((name, queue) -> {
            boolean waits = waited.contains(name);
            if (queue.failed || (waits && (shared || queue.state.coolDown().isPresent()))) {
                send(name);
            }
            if (waits) {
                lookLater();
            }
        });
    }

    /** Applies another policy: runs continue if their pool is gone, and open steps of a new pool take its places. */
    void policyChanged() {
        for (RunActor loaded : scheduler.actors.all()) {
            RunState state = loaded.state();
            Claimant run = claimants.computeIfAbsent(state.runId(), id -> new Claimant(state));
            boolean freed = run.asked.values().removeIf(agent -> !guards(state, agent));
            claim(run);
            if (freed) {
                loaded(state.runId()).ifPresent(actor -> actor.deliver(new RunInput.TimerDue(Instants.now())));
            }
        }
        List.copyOf(queues.keySet()).forEach(this::send);
    }

    /** Reports what the end of a step says about its provider; completes before that end may be decided. */
    Future<Void> ending(RunState run, RunInput.StepEnded ended) {
        OpenStep step = run.steps().get(ended.stepId());
        Optional<String> pool = step == null ? Optional.empty() : pool(run, step.agent());
        if (pool.isEmpty()) {
            return Future.succeededFuture();
        }
        Optional<PoolInput.Limit> limit = PoolRules.limit(run, ended, this);
        if (limit.isPresent()) {
            put(pool.get(), limit.get());
            Future<Void> durable = queues.get(pool.get()).durable.future();
            send(pool.get());
            return durable.otherwiseEmpty();
        }
        if (PoolRules.endedWell(run, ended)) {
            served(run, step);
        }
        return Future.succeededFuture();
    }

    /** The provider served this step: it has ended well, or reported tokens. */
    void served(RunState run, OpenStep step) {
        pool(run, step.agent()).filter(name -> isProbe(name, run, step)).ifPresent(name -> {
            put(
                    name,
                    new PoolInput.Served(
                            Instants.now(), run.runId(), step.position().key()));
            send(name);
        });
    }

    private boolean isProbe(String pool, RunState run, OpenStep step) {
        return Optional.ofNullable(queues.get(pool))
                .flatMap(queue -> queue.state.coolDown())
                .flatMap(CoolDown::probe)
                .filter(key -> key.equals(run.runId() + "/" + step.position().key()))
                .isPresent();
    }

    /** Forgets all runs, which another node executes. */
    void forgetAll() {
        claimants.clear();
        queues.values().forEach(queue -> queue.timer.ifPresent(vertx::cancelTimer));
        queues.clear();
    }
}
