package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that load runs, decide on their inputs and execute the decisions; each finds the others here. Contains no
 * rules. Used from one context only.
 */
final class Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    final Vertx vertx;
    final Path data;
    final EventStore store;
    final Ownership ownership;
    final Supplier<Policy> policy;
    /** Create the output reader of a step. */
    final Function<StepSpec, AgentOutputReader> readers;

    final RunJournal journal;
    final StepOutcomes outcomes;
    /** Loaded runs by id; changed by {@link RunActors} only. */
    final Map<String, RunActor> runs = new HashMap<>();

    final OpenedSteps opened = new OpenedSteps();
    final LateInputs lateInputs;
    final SignalClaims signals;
    final GitRequests git;
    final Receipts receipts;
    final HookLimits hooks;
    final RunCapacity capacity;
    final RunActors actors;
    final RunIntake intake;
    final RuntimeEnd runtimeEnd;
    final StoreRetry storeRetry;
    final PoolPlaces places;
    final LaunchPermits permits;
    final StepStops stops;
    final StepWatcher watcher;
    final StepEndings endings;
    final StepRunner steps;
    final DecisionEffects effects;

    /**
     * Builds the parts; none of them does anything yet.
     *
     * @param store read here; the journal appends
     * @param policy holds across runs
     */
    Scheduler(
            Vertx vertx,
            SchedulerOptions options,
            EventStore store,
            Ownership ownership,
            SharedSignalFiles signalFiles,
            Supplier<Policy> policy,
            Function<StepSpec, AgentOutputReader> readers,
            RunJournal journal,
            StepOutcomes outcomes) {
        this.vertx = vertx;
        this.data = options.data();
        this.store = store;
        this.ownership = ownership;
        this.policy = policy;
        this.readers = readers;
        this.journal = journal;
        this.outcomes = outcomes;
        this.lateInputs = new LateInputs(vertx, data);
        this.signals = new SignalClaims(vertx, signalFiles, runs);
        this.git = new GitRequests(vertx, data);
        this.receipts = new Receipts(vertx, store);
        this.hooks = new HookLimits(vertx, opened, git);
        this.capacity = new RunCapacity(this, options.maxRuns());
        this.actors = new RunActors(this);
        this.intake = new RunIntake(this);
        this.runtimeEnd = new RuntimeEnd(this);
        this.storeRetry = new StoreRetry(this);
        this.places = new PoolPlaces(this);
        this.permits = new LaunchPermits(this);
        this.stops = new StepStops(this);
        this.watcher = new StepWatcher(this);
        this.endings = new StepEndings(this);
        this.steps = new StepRunner(this);
        this.effects = new DecisionEffects(this);
    }

    /** Forgets all runs, because this node no longer owns them; their later results are ignored. */
    void dropAll() {
        LOG.warn("this node no longer executes its {} runs", runs.size());
        intake.dropAll();
        opened.forgetAll();
        steps.forgetAll();
        stops.forgetAll();
        places.forgetAll();
        actors.dropAll();
    }
}
