package dev.loopkeeper.scheduler;

import static dev.loopkeeper.scheduler.ActorSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.RunCommand;
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
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
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

class RunActorTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final String EACH = "{\"name\": \"all\", \"each\": {\"steps\": [\"a\"], \"concurrency\": 5,"
            + " \"items\": [{\"id\": \"1\"}, {\"id\": \"2\"}, {\"id\": \"3\"}, {\"id\": \"4\"}, {\"id\": \"5\"}]}}";

    @TempDir
    private Path data;

    private final Vertx vertx = Vertx.vertx();
    private final List<CheckpointFile> checkpoints = new ArrayList<>();
    private final CompletableFuture<Throwable> refusal = new CompletableFuture<>();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private volatile boolean effectBreaks;
    private final MemoryStore store = new MemoryStore(vertx);
    private final List<StepSpec> launched = new CopyOnWriteArrayList<>();
    private RunJournal journal;
    private RunActor actor;

    @BeforeEach
    void startRun() throws Exception {
        CheckpointProjection projection = projection();
        journal = new RunJournal(
                store, store::append, Ownership.sole(), projection, vertx.createSharedWorkerExecutor("snapshots"));
        record(0, created());
        actor = new RunActor(created().state(), journal, new RecordingHost());
        assertThat(ask(new RunInput.Start(NOW)).events()).isNotEmpty();
    }

    private CheckpointProjection projection() {
        checkpoints.add(new CheckpointFile(vertx, data));
        return new CheckpointProjection(vertx, checkpoints.get(checkpoints.size() - 1), CheckpointProjection.INTERVAL);
    }

    /** What is being written is written before its folder goes. */
    @AfterEach
    void closeVertx() throws Exception {
        for (CheckpointFile checkpoint : checkpoints) {
            assertThat(checkpoint.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isNull();
        }
        assertThat(vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    /** An actor belongs to one context, and so do its answers. */
    private void onItsContext(Runnable work) throws Exception {
        onItsContext(() -> {
            work.run();
            return Future.succeededFuture();
        });
    }

    @CanIgnoreReturnValue
    private <T> Future<T> onItsContext(Supplier<Future<T>> work) throws Exception {
        Promise<Future<T>> answered = Promise.promise();
        vertx.runOnContext(turn -> {
            try {
                answered.complete(work.get());
            } catch (RuntimeException broken) {
                answered.fail(broken);
            }
        });
        return answered.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** They used to wait with what cannot be lost, for as long as the disk was full. */
    @Test
    void aRequestDuringAnOutageIsAnsweredAtOnce() throws Exception {
        store.fail(new StoreException("no space left", null));
        onItsContext(() -> actor.deliver(stop()));
        assertThat(refusal.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
        assertThat(failure(new RunInput.Pause(NOW, Optional.empty()))).isInstanceOf(StoreException.class);
        store.work();
        onItsContext(() -> actor.tryAgain(NOW, "the disk was full"));
        assertThat(ask(new RunInput.Pause(NOW, Optional.empty())).state().condition())
                .isNotInstanceOf(Condition.Running.class);
    }

    /** The run ended as failed before the stop was recorded, and at a time before events of its own. */
    @Test
    void aStopThatTheStoreRefusedIsRecordedBeforeTheEndOfTheRun() throws Exception {
        String stepId = launched.get(0).stepId();
        store.fail(new StoreException("no space left", null));
        onItsContext(() -> actor.deliver(new RunInput.StepEnded(NOW, stepId, stopped())));
        assertThat(refusal.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
        onItsContext(() -> actor.deliver(stop()));
        int before = store.all().size();
        store.work();
        onItsContext(() -> actor.tryAgain(NOW.plusSeconds(1), "the disk was full"));

        Awaitility.await().until(() -> actor.state().condition() instanceof Condition.Ended && !actor.inUse());
        List<StoredEvent> recorded =
                store.all().stream().skip(before).map(PositionedEvent::event).toList();
        assertThat(recorded).extracting(StoredEvent::type).startsWith("stop").endsWith("run.ended");
        assertThat(recorded).extracting(StoredEvent::at).containsOnly(NOW.plusSeconds(1));
        Condition.Ended ended = (Condition.Ended) actor.state().condition();
        assertThat(ended.termination().subtype()).isEqualTo("error_operator_stop");
        assertThat(ended.termination().alsoTriggered()).containsExactly("infrastructure");
        assertThat(ended.termination().at()).isEqualTo(NOW.plusSeconds(1));
        assertThat(journal.load("r1").toCompletionStage().toCompletableFuture().get())
                .contains(actor.state());
    }

    /** Every later append was refused as stale, until the next restart. */
    @Test
    void continuesAfterAnAppendWithALostAnswer() throws Exception {
        Decision paused = RunMachine.decide(actor.state(), new RunInput.Pause(NOW, Optional.empty()));
        RunState durable = paused.state();
        record(actor.state().sequence(), paused);
        assertThat(failure(stop())).isInstanceOf(StaleAppendException.class);
        assertThat(refusal.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isInstanceOf(StaleAppendException.class);
        onItsContext(() -> actor.catchUp(durable, NOW));
        assertThat(ask(stop()).state().sequence()).isGreaterThan(durable.sequence());
    }

    /** Each check of the output, twice a second, used to be kept for as long as the store was stuck. */
    @Test
    void appendsOnlyTheNewestUsageAfterAnOutage() throws Exception {
        String stepId = actor.state().steps().keySet().iterator().next();
        store.fail(new StoreException("no space left", null));
        onItsContext(() -> LongStream.rangeClosed(1, 10_000)
                .forEach(tokens -> actor.deliver(new RunInput.UsageSeen(NOW, stepId, tokens(tokens)))));
        assertThat(refusal.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
        onItsContext(() -> actor.deliver(new RunInput.UsageSeen(NOW, stepId, tokens(10_001))));
        store.work();
        int before = store.all().size();
        onItsContext(() -> actor.tryAgain(NOW, "the disk was full"));
        Awaitility.await().until(() -> actor.state().condition() instanceof Condition.Stopping && !actor.inUse());
        assertThat(store.all().stream()
                        .skip(before)
                        .filter(event -> event.event().type().equals("step.usage")))
                .hasSizeBetween(1, 2);
        assertThat(actor.state().steps().get(stepId).usage()).isEqualTo(tokens(10_001));
    }

    /** None of them is lost, and their order stays. */
    @Test
    void keepsTheEndsOfStepsThatTheStoreRefuses() throws Exception {
        Decision created = ActorSamples.created("r3", EACH);
        record(0, created);
        actor = new RunActor(created.state(), journal, new RecordingHost());
        launched.clear();
        assertThat(ask(new RunInput.Start(NOW)).events()).isNotEmpty();
        assertThat(ask(stop()).events()).isNotEmpty();
        store.fail(new StoreException("no space left", null));
        onItsContext(
                () -> launched.forEach(step -> actor.deliver(new RunInput.StepEnded(NOW, step.stepId(), stopped()))));
        assertThat(refusal.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();

        store.work();
        onItsContext(() -> actor.tryAgain(NOW, "the disk was full"));

        Awaitility.await().until(() -> actor.state().condition() instanceof Condition.Ended && !actor.inUse());
        assertThat(store.all().stream()
                        .map(PositionedEvent::event)
                        .filter(event ->
                                event.runId().equals("r3") && event.type().equals("step.finished")))
                .hasSize(5);
        assertThat(journal.load("r3").toCompletionStage().toCompletableFuture().get())
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
        CheckpointProjection projection = projection();
        journal = new RunJournal(
                counted, counted::append, Ownership.sole(), projection, vertx.createSharedWorkerExecutor("snapshots"));
        Decision created = created("r4", ActorSamples.TASK, "x".repeat(500_000));
        record(0, created);
        actor = new RunActor(created.state(), journal, new RecordingHost());
        for (int remark = 0; remark < 2400; remark++) {
            assertThat(ask(new RunInput.Remark(NOW, "said", "remark " + remark)).events())
                    .isNotEmpty();
            if (actor.state().sequence() == 300) {
                Awaitility.await().until(() -> !snapshots.isEmpty());
            }
        }

        Awaitility.await().until(() -> snapshots.size() > 1);
        assertThat(snapshots).hasSizeLessThan(5);
        assertThat(journal.load("r4").toCompletionStage().toCompletableFuture().get())
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
        effectBreaks = true;
        Decision paused = ask(new RunInput.Pause(NOW, Optional.empty()));
        assertThat(paused.events()).isNotEmpty();
        assertThat(failure.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).hasMessage("an effect broke");
        assertThat(ask(stop()).events()).isNotEmpty();
        assertThat(actor.isDeciding()).isFalse();
    }

    @Test
    void aFailingCallerDelaysNoOther() throws Exception {
        vertx.runOnContext(then -> {
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
        RunActor broken = new RunActor(created().state(), null, new RecordingHost());
        assertThat(broken.ask(new RunInput.Start(NOW)).failed()).isTrue();
        assertThat(failure.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isInstanceOf(NullPointerException.class);
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
        Future<Appended> appended = onItsContext(() -> {
            vertx.getOrCreateContext().exceptionHandler(thrown::add);
            other.project(end.state());
            return other.append(actor.state().sequence(), end, NOW, Optional.empty());
        });
        assertThat(appended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
        onItsContext(() -> {});
        assertThat(thrown).isEmpty();
    }

    /** Every append was refused as stale, once a second, until the next restart. */
    @Test
    void aRunOfWhichTheStoreHasLostEventsContinuesFromThere() throws Exception {
        MemoryStore behind = new MemoryStore(vertx);
        RunJournal other = new RunJournal(
                behind, behind::append, Ownership.sole(), projection(), vertx.createSharedWorkerExecutor("snapshots"));
        assertThat(other.append(0, created(), NOW, Optional.empty()).await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isNotNull();
        StoreRetry retry = new StoreRetry(vertx, other, rests -> {}, dropped -> {});
        RunActor ahead = new RunActor(actor.state(), other, new RecordingHost() {
            @Override
            public void storeFailed(RunActor run, Throwable cause) {
                retry.failed(run, cause);
            }
        });
        onItsContext(() -> ahead.deliver(stop()));

        Awaitility.await()
                .until(() -> !ahead.inUse()
                        && ahead.state().sequence() == behind.all().size());
        assertThat(ahead.state().condition()).isNotInstanceOf(Condition.Running.class);
    }

    private static RunInput.Stop stop() {
        return new RunInput.Stop(NOW, StopCause.OPERATOR, Optional.empty(), false);
    }

    private Decision ask(RunInput input) throws Exception {
        return onItsContext(() -> actor.ask(input)).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private Throwable failure(RunInput input) throws Exception {
        return onItsContext(() -> actor.ask(input))
                .transform(over -> Future.succeededFuture(over.cause()))
                .await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Makes it durable past the actor. */
    private void record(long before, Decision decision) throws Exception {
        assertThat(journal.append(before, decision, NOW, Optional.empty()).await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isNotNull();
    }

    private static Decision created() {
        return ActorSamples.created("r1", ActorSamples.TASK);
    }

    private static Decision created(String runId, String phase, String text) {
        return ActorSamples.created(runId, Optional.empty(), """
                {"name": "one", "agents": {"a": {"command": "true"}}, "vars": {"text": "%s"}, "phases": [%s]}
                """.formatted(text, phase));
    }

    private class RecordingHost implements ActorSamples.UnlimitedHost {
        @Override
        public void execute(RunActor run, Decision decision) {
            decision.commands().stream()
                    .filter(RunCommand.Launch.class::isInstance)
                    .forEach(command -> launched.add(((RunCommand.Launch) command).step()));
            if (effectBreaks) {
                effectBreaks = false;
                throw new IllegalStateException("an effect broke");
            }
        }

        @Override
        public void broken(RunActor run, RunInput input, Throwable cause) {
            failure.complete(cause);
        }

        @Override
        public void storeFailed(RunActor run, Throwable cause) {
            refusal.complete(cause);
        }
    }
}
