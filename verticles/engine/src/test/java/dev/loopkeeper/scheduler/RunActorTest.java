package dev.loopkeeper.scheduler;

import static dev.loopkeeper.scheduler.ActorSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.MemoryStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.StopCause;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RunActorTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final String EACH = "{\"name\": \"all\", \"each\": {\"steps\": [\"a\"], \"concurrency\": 5,"
            + " \"items\": [{\"id\": \"1\"}, {\"id\": \"2\"}, {\"id\": \"3\"}, {\"id\": \"4\"}, {\"id\": \"5\"}]}}";

    @TempDir
    private Path data;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final MemoryStore store = new MemoryStore(vertx);
    private final List<StepSpec> launched = new CopyOnWriteArrayList<>();
    private Scheduler scheduler;
    private RunActor actor;

    @BeforeEach
    void startRun() throws Exception {
        RecordCodec.register(vertx);
        done(ProcessChannels.LAUNCH.serve(vertx.eventBus(), asked -> {
            launched.add(asked.step());
            return Future.succeededFuture(
                    new StepLaunched(asked.step().runId(), asked.step().stepId(), OptionalLong.of(1), false));
        }));
        done(ProcessChannels.STOP.serve(
                vertx.eventBus(),
                asked -> Future.succeededFuture(KillReceipt.nothing(asked.runId(), asked.stepId(), NOW))));
        scheduler = scheduler(store);
        actor = begin(scheduler, created(), 1);
    }

    private Scheduler scheduler(EventStore over) throws Exception {
        return await(() -> Future.succeededFuture(ActorSamples.scheduler(vertx, data, over)));
    }

    /** Starts a run, and waits until so many steps are launched. */
    private RunActor begin(Scheduler over, Decision created, int steps) throws Exception {
        launched.clear();
        done(over.journal.append(0, created, NOW, Optional.empty()));
        RunActor begun = await(() -> Future.succeededFuture(over.actors.take(created.state())));
        done(await(() -> Future.succeededFuture(begun.ask(new RunInput.Start(NOW)))));
        Awaitility.await().until(() -> launched.size() == steps);
        return begun;
    }

    @AfterEach
    void closeVertx() throws Exception {
        done(vertx.close());
    }

    private static void done(Future<?> future) throws Exception {
        Object unused = future.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** An actor belongs to one context, and so do its answers. */
    private void onItsContext(Runnable work) throws Exception {
        done(await(() -> {
            work.run();
            return Future.succeededFuture(Future.succeededFuture());
        }));
    }

    private <T> T await(Supplier<Future<T>> work) throws Exception {
        Promise<T> answered = Promise.promise();
        context.runOnContext(
                turn -> Future.succeededFuture().compose(now -> work.get()).onComplete(answered));
        return answered.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The store has refused what was delivered: a request is refused at once. */
    private void awaitRefused() throws Exception {
        assertThat(failure(new RunInput.Pause(NOW, Optional.empty()))).isInstanceOf(StoreException.class);
    }

    private void until(Class<? extends Condition> condition) {
        Awaitility.await().until(() -> condition.isInstance(actor.state().condition()) && !actor.inUse());
    }

    /** They used to wait with what cannot be lost, for as long as the disk was full. */
    @Test
    void aRequestDuringAnOutageIsAnsweredAtOnce() throws Exception {
        store.fail(new StoreException("no space left", null));
        onItsContext(() -> actor.deliver(stop()));
        awaitRefused();
        store.work();
        until(Condition.Stopping.class);
        assertThat(ask(new RunInput.Pause(NOW, Optional.empty())).state().condition())
                .isNotInstanceOf(Condition.Running.class);
    }

    /** The run ended as failed before the stop was recorded, and at a time before events of its own. */
    @Test
    void aStopThatTheStoreRefusedIsRecordedBeforeTheEndOfTheRun() throws Exception {
        String stepId = launched.get(0).stepId();
        store.fail(new StoreException("no space left", null));
        onItsContext(() -> actor.deliver(new RunInput.StepEnded(NOW, stepId, stopped())));
        awaitRefused();
        onItsContext(() -> actor.deliver(stop()));
        int before = store.all().size();
        store.work();

        until(Condition.Ended.class);
        List<StoredEvent> recorded =
                store.all().stream().skip(before).map(PositionedEvent::event).toList();
        assertThat(recorded).extracting(StoredEvent::type).startsWith("stop").endsWith("run.ended");
        Condition.Ended ended = (Condition.Ended) actor.state().condition();
        assertThat(recorded)
                .extracting(StoredEvent::at)
                .containsOnly(ended.termination().at());
        assertThat(ended.termination().subtype()).isEqualTo("error_operator_stop");
        assertThat(ended.termination().alsoTriggered()).containsExactly("infrastructure");
        assertThat(ended.termination().at()).isAfter(NOW);
        assertThat(scheduler
                        .journal
                        .load("r1")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get())
                .contains(actor.state());
    }

    /** Every later append was refused as stale, until the next restart. */
    @Test
    void continuesAfterAnAppendWithALostAnswer() throws Exception {
        Decision paused = RunMachine.decide(actor.state(), new RunInput.Pause(NOW, Optional.empty()));
        RunState durable = paused.state();
        record(actor.state().sequence(), paused);
        assertThat(failure(stop())).isInstanceOf(StaleAppendException.class);
        Awaitility.await().until(() -> actor.state().sequence() >= durable.sequence() && !actor.inUse());
        assertThat(ask(stop()).state().sequence()).isGreaterThan(durable.sequence());
    }

    /** Each check of the output, twice a second, used to be kept for as long as the store was stuck. */
    @Test
    void appendsOnlyTheNewestUsageAfterAnOutage() throws Exception {
        String stepId = actor.state().steps().keySet().iterator().next();
        store.fail(new StoreException("no space left", null));
        onItsContext(() -> LongStream.rangeClosed(1, 10_000)
                .forEach(tokens -> actor.deliver(new RunInput.UsageSeen(NOW, stepId, tokens(tokens)))));
        awaitRefused();
        onItsContext(() -> actor.deliver(new RunInput.UsageSeen(NOW, stepId, tokens(10_001))));
        int before = store.all().size();
        store.work();
        until(Condition.Stopping.class);
        assertThat(store.all().stream()
                        .skip(before)
                        .filter(event -> event.event().type().equals("step.usage")))
                .hasSizeBetween(1, 2);
        assertThat(actor.state().steps().get(stepId).usage()).isEqualTo(tokens(10_001));
    }

    /** None of them is lost, and their order stays. */
    @Test
    void keepsTheEndsOfStepsThatTheStoreRefuses() throws Exception {
        actor = begin(scheduler, ActorSamples.created("r3", EACH), 5);
        assertThat(ask(stop()).events()).isNotEmpty();
        store.fail(new StoreException("no space left", null));
        onItsContext(
                () -> launched.forEach(step -> actor.deliver(new RunInput.StepEnded(NOW, step.stepId(), stopped()))));
        awaitRefused();

        store.work();

        until(Condition.Ended.class);
        assertThat(store.all().stream()
                        .map(PositionedEvent::event)
                        .filter(event ->
                                event.runId().equals("r3") && event.type().equals("step.finished")))
                .hasSize(5);
        assertThat(scheduler
                        .journal
                        .load("r3")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get())
                .contains(actor.state());
    }

    /** A snapshot of megabytes was kept at each two hundredth event: what it cost grew with the square of the items. */
    @Test
    void snapshotsOfALargeRunAreNoLargerThanItsEvents() throws Exception {
        List<Integer> snapshots = new CopyOnWriteArrayList<>();
        EventStore counted = (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("addSnapshot")) {
                        snapshots.add(((String) arguments[2]).length());
                    }
                    return method.invoke(store, arguments);
                });
        scheduler = scheduler(counted);
        actor = begin(scheduler, created("r4", ActorSamples.TASK, "x".repeat(500_000)), 1);
        for (int remark = 0; remark < 2400; remark++) {
            assertThat(ask(new RunInput.Remark(NOW, "said", "remark " + remark)).events())
                    .isNotEmpty();
            if (actor.state().sequence() == 300) {
                Awaitility.await().until(() -> !snapshots.isEmpty());
            }
        }

        Awaitility.await().until(() -> snapshots.size() > 1);
        assertThat(snapshots).hasSizeLessThan(5);
        assertThat(scheduler
                        .journal
                        .load("r4")
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get())
                .contains(actor.state());
    }

    private static StepOutcome stopped() {
        return ActorSamples.outcome(ExitCause.STOPPED, 143, "error_during_execution", Optional.empty());
    }

    @Test
    void usageThatDidNotChangeIsNoNews() {
        OpenedStep step =
                new OpenedStep(launched.get(0), data, opened -> AgentOutput.reader(opened, () -> Policy.NONE), "");
        assertThat(step.isNews(Usage.UNKNOWN)).isFalse();
        assertThat(step.isNews(tokens(1))).isTrue();
        assertThat(step.isNews(tokens(1))).isFalse();
        assertThat(step.isNews(tokens(2))).isTrue();
    }

    private static Usage tokens(long tokens) {
        return new Usage(OptionalDouble.empty(), OptionalLong.of(tokens), OptionalLong.empty(), OptionalLong.empty());
    }

    /** The run was busy for ever: no later input was ever checked. */
    @Test
    void aFailedEffectLeavesTheRunAbleToAct() throws Exception {
        Logger events = (Logger) LoggerFactory.getLogger(EventLog.NAME);
        BreakingAppender breaking = new BreakingAppender();
        Level before = events.getLevel();
        events.setLevel(Level.DEBUG);
        events.addAppender(breaking);
        try {
            assertThat(ask(new RunInput.Pause(NOW, Optional.empty())).events()).isNotEmpty();
        } finally {
            events.detachAppender(breaking);
            events.setLevel(before);
        }
        assertThat(breaking.broken).isTrue();
        until(Condition.Stopping.class);
        assertThat(ask(stop()).state().condition()).isInstanceOf(Condition.Stopping.class);
        assertThat(actor.isDeciding()).isFalse();
    }

    /** Breaks the log of a run's events, which is an effect of its decisions. */
    private static final class BreakingAppender extends AppenderBase<ILoggingEvent> {
        private volatile boolean broken;

        @Override
        public void doAppend(ILoggingEvent event) {
            if (event.getFormattedMessage().startsWith("run r1:")) {
                broken = true;
                throw new IllegalStateException("an effect broke");
            }
        }

        @Override
        protected void append(ILoggingEvent event) {
            throw new AssertionError("not asked for");
        }
    }

    @Test
    void aFailingCallerDelaysNoOther() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        context.runOnContext(then -> {
            var unused = actor.ask(new RunInput.Pause(NOW, Optional.empty())).onSuccess(answer -> {
                failure.complete(new IllegalStateException("an asker broke"));
                throw new IllegalStateException("an asker broke");
            });
        });
        assertThat(failure.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
        assertThat(ask(stop()).events()).isNotEmpty();
        assertThat(actor.isDeciding()).isFalse();
    }

    @Test
    void anEventThatCannotBeSerialisedFailsAndHoldsNoSlot() throws Exception {
        Ownership breaking = new Ownership() {
            @Override
            public long epoch(String runId) {
                throw new IllegalStateException("no epoch");
            }

            @Override
            public boolean mayAct() {
                return true;
            }
        };
        Scheduler other = await(() -> Future.succeededFuture(ActorSamples.scheduler(
                vertx, data, store, breaking, step -> AgentOutput.reader(step, () -> Policy.NONE))));
        RunActor broken = new RunActor(created().state(), other);
        Throwable failure = await(
                () -> broken.ask(new RunInput.Start(NOW)).transform(over -> Future.succeededFuture(over.cause())));
        assertThat(failure).hasMessage("no epoch");
        assertThat(broken.claim()).isSameAs(broken.state());
        assertThat(broken.isDeciding()).isFalse();
    }

    /** It was thrown at the caller that had appended, and no snapshot was made. */
    @Test
    void aProjectionThatBreaksDoesNotReachTheRun() throws Exception {
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        CheckpointProjection broken = new CheckpointProjection(vertx, null, CheckpointProjection.INTERVAL);
        RunJournal other = new RunJournal(
                store, store::append, Ownership.sole(), broken, vertx.createSharedWorkerExecutor("snapshots"));
        Decision end = RunMachine.decide(actor.state(), new RunInput.Pause(NOW, Optional.empty()));
        context.exceptionHandler(thrown::add);
        Appended appended = await(() -> {
            other.project(end.state());
            return other.append(actor.state().sequence(), end, NOW, Optional.empty());
        });
        assertThat(appended).isNotNull();
        onItsContext(() -> {});
        assertThat(thrown).isEmpty();
    }

    /** Every append was refused as stale, once a second, until the next restart. */
    @Test
    void aRunOfWhichTheStoreHasLostEventsContinuesFromThere() throws Exception {
        MemoryStore behind = new MemoryStore(vertx);
        Scheduler other = scheduler(behind);
        done(other.journal.append(0, created(), NOW, Optional.empty()));
        RunActor ahead = new RunActor(actor.state(), other);
        onItsContext(() -> ahead.deliver(stop()));

        Awaitility.await()
                .until(() -> !ahead.inUse()
                        && ahead.state().sequence() == behind.all().size());
        assertThat(ahead.state().condition()).isNotInstanceOf(Condition.Running.class);
    }

    /** The second caller asked an actor that was released: what that began was owned by no process. */
    @Test
    void aCallerOfAReleasedRunGetsItLoadedAgain() throws Exception {
        Decision created = ActorSamples.created("r5", ActorSamples.TASK);
        record(0, created);
        record(created.state().sequence(), RunMachine.decide(created.state(), stop()));

        RunActor second = await(() -> {
                    var unused = scheduler
                            .actors
                            .find("r5")
                            .onSuccess(run -> scheduler.actors.releaseIfOver(run.orElseThrow()));
                    return scheduler.actors.find("r5");
                })
                .orElseThrow();

        assertThat(second.isDropped()).isFalse();
        assertThat(scheduler.actors.loaded("r5")).containsSame(second);
    }

    private static RunInput.Stop stop() {
        return new RunInput.Stop(NOW, StopCause.OPERATOR, Optional.empty(), false);
    }

    private Decision ask(RunInput input) throws Exception {
        return await(() -> actor.ask(input));
    }

    private Throwable failure(RunInput input) throws Exception {
        return await(() -> actor.ask(input).transform(over -> Future.succeededFuture(over.cause())));
    }

    /** Makes it durable past the actor. */
    private void record(long before, Decision decision) throws Exception {
        done(scheduler.journal.append(before, decision, NOW, Optional.empty()));
    }

    private static Decision created() {
        return ActorSamples.created("r1", ActorSamples.TASK);
    }

    private static Decision created(String runId, String phase, String text) {
        return ActorSamples.created(runId, Optional.empty(), """
                {"name": "one", "agents": {"a": {"command": "true"}}, "vars": {"text": "%s"}, "phases": [%s]}
                """.formatted(text, phase));
    }
}
