package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.AgentReport;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.OutputDigest;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.SignalSeen;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.verdict.SignalExpectation;
import dev.loopkeeper.verdict.SignalReader;
import dev.loopkeeper.verdict.SignalReading;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What follows a step, with everybody but the step runner played by the test. */
class StepRunnerTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33Z");
    private static final String SIGNAL = "{\"determination\":\"PROGRESS\"}";

    @TempDir
    private Path folder;

    private Supplier<Future<Void>> keepingReceipt = Future::succeededFuture;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final List<StepOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final Promise<Void> outputRead = Promise.promise();
    private final AtomicBoolean mayAct = new AtomicBoolean(true);
    private final AtomicInteger launches = new AtomicInteger();
    private final Promise<Void> refused = Promise.promise();
    private final Ownership ownership = new Ownership() {
        @Override
        public long epoch(String runId) {
            return 1;
        }

        @Override
        public boolean mayAct() {
            if (!mayAct.get()) {
                refused.tryComplete();
            }
            return mayAct.get();
        }
    };
    private volatile Future<Void> preparing = Future.succeededFuture();
    private volatile Future<SignalReading> signal;
    private volatile Function<StopStep, Future<KillReceipt>> stops =
            asked -> Future.succeededFuture(receipt(List.of()));
    private StepSpec step;
    private RunCreated created;
    private Scheduler scheduler;
    private StepRunner runner;

    private final class RecordingActor extends RunActor {
        RecordingActor(RunState state) {
            super(state, scheduler);
        }

        @Override
        void deliver(RunInput input) {
            if (input instanceof RunInput.StepEnded ended) {
                reported.add("ended");
                outcomes.add(ended.outcome());
            } else {
                reported.add(
                        input instanceof RunInput.SignalSeen seen
                                ? "signalled " + seen.signal().raw()
                                : input.getClass().getSimpleName());
            }
        }
    }

    /** Notifies when the rest of the output is read. */
    private final class NotifyingReader implements AgentOutputReader {
        private final AgentOutputReader reader = AgentOutput.reader(OutputDialect.TEXT, ErrorRules.builtIn());

        @Override
        public void stdout(byte[] chunk, int offset, int length) {
            reader.stdout(chunk, offset, length);
        }

        @Override
        public void stderr(byte[] chunk, int offset, int length) {
            reader.stderr(chunk, offset, length);
        }

        @Override
        public Usage usageSoFar() {
            return reader.usageSoFar();
        }

        @Override
        public AgentReport finish(ExitFacts exit, Instant now, ZoneId zone) {
            outputRead.tryComplete();
            return reader.finish(exit, now, zone);
        }
    }

    @BeforeEach
    void start() throws Exception {
        RecordCodec.register(vertx);
        step = firstStep(Files.createDirectory(folder.resolve("workspace")));
        signal = Future.succeededFuture(content());
        PendingWork.served(
                SignalChannels.PREPARE.serve(vertx.eventBus(), asked -> preparing.map(asked)),
                ProcessChannels.STOP.serve(vertx.eventBus(), asked -> stops.apply(asked)),
                SignalChannels.WATCH.serve(vertx.eventBus(), Future::succeededFuture),
                SignalChannels.READ.serve(vertx.eventBus(), asked -> signal),
                ProcessChannels.LAUNCH.serve(
                        vertx.eventBus(),
                        asked -> counted(new StepLaunched(step.runId(), step.stepId(), OptionalLong.of(1), false))));
        EventStore store = (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(),
                new Class<?>[] {EventStore.class},
                (proxy, method, arguments) -> keepingReceipt.get());
        scheduler = ActorSamples.scheduler(vertx, folder.resolve("data"), store, ownership, this::reader);
        runner = scheduler.steps;
        scheduler.runs.put(
                step.runId(), new RecordingActor(RunMachine.create(created, NOW).state()));
        PendingWork.served(onContext(runner::start));
        PendingWork.served(onContext(() -> {
            runner.launch(step, false);
            return runner.launching(step.runId(), step.stepId()).mapEmpty();
        }));
    }

    private Future<StepLaunched> counted(StepLaunched answer) {
        launches.incrementAndGet();
        return Future.succeededFuture(answer);
    }

    private AgentOutputReader reader(StepSpec step) {
        return new NotifyingReader();
    }

    /** Waits for what a test has begun. */
    private static final class PendingWork {
        private static void served(Future<?>... all) throws Exception {
            for (Future<?> one : all) {
                Object unused = one.await(60, TimeUnit.SECONDS);
            }
        }
    }

    private Future<Void> onContext(Supplier<Future<Void>> work) {
        Promise<Void> done = Promise.promise();
        context.runOnContext(now -> work.get().onComplete(done));
        return done.future();
    }

    @AfterEach
    void close() throws Exception {
        PendingWork.served(vertx.close());
    }

    private StepSpec firstStep(Path workspace) throws Exception {
        var document = Json.MAPPER.readTree(
                "{\"name\": \"demo\", \"agents\": {\"one\": {\"command\": [\"true\"],"
                        + " \"signal\": \".loopkeeper/one.json\"}}, \"phases\": [{\"name\": \"loop\", \"loop\": {\"steps\": [\"one\"]}}]}");
        Manifest manifest = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
        created = new RunCreated(
                "demo-1",
                "demo",
                "nonce",
                workspace.toString(),
                workspace.toString(),
                true,
                document,
                manifest,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return RunMachine.decide(RunMachine.create(created, NOW).state(), new RunInput.Start(NOW)).commands().stream()
                .filter(RunCommand.Launch.class::isInstance)
                .map(command -> ((RunCommand.Launch) command).step())
                .findFirst()
                .orElseThrow();
    }

    private SignalReading content() {
        return SignalReader.read(
                Optional.of(SIGNAL.getBytes(StandardCharsets.UTF_8)),
                new SignalExpectation("nonce", Optional.empty(), Optional.empty()));
    }

    private void seen() {
        SignalReading.Valid valid = (SignalReading.Valid) content();
        SignalChannels.SEEN.publish(vertx.eventBus(), new SignalSeen(step.runId(), step.stepId(), valid.signal()));
    }

    private KillReceipt receipt(List<KillReceipt.KilledProcess> swept) {
        return new KillReceipt(step.runId(), Optional.of(step.stepId()), NOW, NOW, KillReceipt.Outcome.gone, swept);
    }

    private void exited(List<KillReceipt.KilledProcess> swept) {
        ProcessChannels.EXITED.publish(
                vertx.eventBus(),
                new StepExited(
                        step.runId(),
                        step.stepId(),
                        new StepOutcome.Exit(
                                ExitCause.EXITED, OptionalLong.of(1), OptionalInt.of(0), NOW, NOW, Optional.empty()),
                        Optional.empty(),
                        OutputDigest.UNREAD,
                        receipt(swept),
                        Optional.empty(),
                        Optional.empty()));
    }

    /** However long this thread is kept waiting, nothing is between them. */
    private void inOneTurn(Runnable facts) {
        context.runOnContext(turn -> facts.run());
    }

    private void awaitReported(String... words) {
        Awaitility.await().untilAsserted(() -> assertThat(reported).containsExactly(words));
    }

    /** Each repetition began an endless chain of its own. */
    @Test
    void aStopThatIsRepeatedIsAskedAgainOnceASecond() throws Exception {
        List<StopStep> asked = new CopyOnWriteArrayList<>();
        stops = stop -> {
            asked.add(stop);
            return Future.failedFuture("not yet");
        };
        for (boolean now : new boolean[] {false, false, true, false, false}) {
            PendingWork.served(onContext(() -> {
                scheduler.stops.stop(step.runId(), step.stepId(), now);
                return lateAnswer();
            }));
        }
        assertThat(asked).hasSize(10);
        // Begun after all retries of the stops above, and so over after them.
        PendingWork.served(onContext(() -> vertx.timer(1_001).compose(due -> lateAnswer())));

        assertThat(asked).hasSize(12);
        assertThat(asked.get(10).now()).as("the most urgent of them").isTrue();
    }

    /** Of a stop that is asked behind the others, so that their answers were seen. */
    private Future<Void> lateAnswer() {
        StopStep last = new StopStep(step.runId(), "another", false, ExitCause.STOPPED);
        return ProcessChannels.STOP
                .ask(vertx.eventBus(), last, Duration.ofSeconds(60))
                .otherwiseEmpty()
                .mapEmpty();
    }

    /** Asked last thing before the launch: another may have the run by then. */
    @Test
    void nothingIsLaunchedWhileThisNodeMayNotAct() throws Exception {
        mayAct.set(false);
        int before = launches.get();
        Future<Void> launched = onContext(() -> {
            runner.launch(step, false);
            return runner.launching(step.runId(), step.stepId()).mapEmpty();
        });
        PendingWork.served(refused.future());
        assertThat(launches).hasValue(before);

        mayAct.set(true);

        PendingWork.served(launched);
        assertThat(launches).hasValue(before + 1);
    }

    /** A fault of the machine, not of the agent: the run must not count it as work that failed. */
    @Test
    void aLaunchOnAFullDiskIsAnInfrastructureFailure() {
        preparing =
                Future.failedFuture(new ResourceExhaustedException("disk full for .loopkeeper; free disk space", null));

        context.runOnContext(now -> runner.launch(step, false));

        awaitReported("ended");
        assertThat(outcomes.get(0).exit().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(outcomes.get(0).report().error().orElseThrow().kind()).isEqualTo("infrastructure");
        assertThat(outcomes.get(0).exit().diagnostic().orElseThrow()).contains("free disk space");
    }

    /** After a crash in a long checkout it counted as failures with git. */
    @Test
    void aStopWhileTheWorktreeOfARecoveredStepIsMadeIsAStop() throws Exception {
        Promise<Void> asked = Promise.promise();
        Promise<Void> ended = Promise.promise();
        PendingWork.served(
                WorktreeChannels.PREPARE.serve(vertx.eventBus(), command -> {
                    asked.complete();
                    return ended.future()
                            .compose(now -> Future.failedFuture(new WorktreeException(
                                    WorktreeException.Problem.PREPARATION_ENDED, "git was ended")));
                }),
                WorktreeChannels.END_PREPARATION.serve(vertx.eventBus(), command -> {
                    ended.tryComplete();
                    return Future.succeededFuture(command);
                }));
        int before = launches.get();

        context.runOnContext(now -> runner.launch(inWorktree(step), true));
        PendingWork.served(asked.future());
        context.runOnContext(now -> scheduler.stops.stop(step.runId(), step.stepId(), false));

        awaitReported("ended");
        assertThat(outcomes.get(0).exit().cause()).isEqualTo(ExitCause.STOPPED);
        assertThat(outcomes.get(0).git()).isEmpty();
        assertThat(launches).hasValue(before);
    }

    private static StepSpec inWorktree(StepSpec step) {
        return step.withWorktree(Optional.of(new StepWorktree(
                "/repository",
                "",
                "worktree",
                new StepWorktree.Branch("loopkeeper/demo", "b", "b"),
                false,
                List.of(),
                Optional.empty())));
    }

    /** It cost a commit of its own, and the end waited for that. */
    @Test
    void aSignalAtTheEndOfAStepIsReportedWithTheEndOnly() {
        inOneTurn(() -> {
            exited(List.of());
            seen();
        });

        awaitReported("ended");
        assertThat(outcomes.get(0).reading()).isInstanceOf(SignalReading.Valid.class);
    }

    @Test
    void theSignalOfARunningStepIsReportedSeparately() {
        seen();

        awaitReported("signalled " + SIGNAL);
        exited(List.of());
        awaitReported("signalled " + SIGNAL, "ended");
    }

    /** One was read after the other. */
    @Test
    void theOutputIsReadWhileTheSignalIs() {
        signal = outputRead.future().map(read -> content());

        exited(List.of());

        awaitReported("ended");
        assertThat(outcomes.get(0).reading()).isInstanceOf(SignalReading.Valid.class);
    }

    /** The store keeps the order of requests, so no caller needs to wait for its answer. */
    @Test
    void requestsTheReceiptBeforeTheEndWithoutWaiting() throws Exception {
        Promise<Void> asked = Promise.promise();
        signal = asked.future().map(receipt -> content());
        keepingReceipt = () -> {
            reported.add("receipt");
            asked.complete();
            return Promise.<Void>promise().future();
        };

        exited(List.of(new KillReceipt.KilledProcess(7, "sleep", "group", List.of("TERM"), Optional.of(NOW))));

        awaitReported("receipt", "ended");
    }
}
