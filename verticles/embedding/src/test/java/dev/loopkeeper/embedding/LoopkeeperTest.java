package dev.loopkeeper.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.EventSubscription;
import dev.loopkeeper.embed.InvalidManifestException;
import dev.loopkeeper.embed.Loopkeeper;
import dev.loopkeeper.embed.LoopkeeperClosedException;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.embed.RunEvents;
import dev.loopkeeper.embed.RunFilter;
import dev.loopkeeper.embed.RunRefusedException;
import dev.loopkeeper.embed.Submitted;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEnded;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.TerminalExhaustionException;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the one class answers, to a user who sees nothing but the public packages. */
class LoopkeeperTest {
    private static final Duration NOT_LONG = Duration.ofMillis(50);

    @TempDir
    private Path folder;

    private Embedded embedded;

    @BeforeEach
    void start() throws IOException {
        embedded = new Embedded(folder);
    }

    @AfterEach
    void close() {
        embedded.close();
    }

    private static void assertRefused(Future<?> asked, RefusalCode code) {
        assertThat(Embedded.failure(asked))
                .isInstanceOfSatisfying(
                        RunRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    private Run ended(String runId) {
        return Embedded.await(embedded.keeper.awaitEnd(runId));
    }

    @Test
    void reportsAnEndFromBeforeTheWait() {
        String runId = embedded.submit(Embedded.GREET);
        assertThat(ended(runId).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(ended(runId).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(Embedded.await(embedded.keeper.steps(runId, 1, Optional.empty()))
                        .steps())
                .extracting(Step::status)
                .containsExactly(Step.Status.COMPLETED);
        assertThat(Embedded.await(embedded.keeper.explain(runId)).chain()).isNotEmpty();
    }

    @Test
    void aPolicyIsAppliedAgainstTheVersionThatWasRead() {
        long version = Embedded.await(embedded.keeper.policy()).version();

        assertThat(Embedded.await(embedded.keeper.applyPolicy("pools: {claude-max: {places: 3}}", version))
                        .policy()
                        .pool("claude-max"))
                .isPresent();
        assertRefused(embedded.keeper.applyPolicy("{}", version), RefusalCode.POLICY_CHANGED);
        assertThat(Embedded.failure(embedded.keeper.applyPolicy("pool: {}")))
                .isInstanceOf(InvalidManifestException.class)
                .hasMessageContaining("did you mean pools?");
        assertThat(Embedded.await(embedded.keeper.policy()).version()).isEqualTo(version + 1);
    }

    @Test
    void aRunThatIsUnknownIsRefusedWhateverIsAsked() {
        assertRefused(embedded.keeper.run("nobody"), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.steps("nobody", 1, Optional.empty()), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.explain("nobody"), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.stop("nobody", ""), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.pause("nobody", ""), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.resume("nobody", ResumeRequest.PLAIN), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.awaitEnd("nobody"), RefusalCode.NOT_FOUND);
        assertRefused(embedded.keeper.events("nobody", received -> {}), RefusalCode.NOT_FOUND);
    }

    @Test
    void aWaitEndsAtItsLimit() {
        String runId = embedded.submit(Embedded.SLEEP);
        assertThat(Embedded.failure(embedded.keeper.awaitEnd(runId, NOT_LONG)))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining(runId);
    }

    @Test
    void aWaitMayHaveALimitThatNoTimerHas() {
        Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
        Future<Run> waiting = embedded.keeper.awaitEnd(embedded.submit(Embedded.GREET), forEver);
        assertThat(Embedded.await(waiting).status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void whatIsNullFailsAFutureAndIsNotThrown() {
        String runId = embedded.submit(Embedded.GREET);
        assertThat(Embedded.failure(embedded.keeper.resume(runId, null))).isInstanceOf(NullPointerException.class);
        assertThat(Embedded.failure(embedded.keeper.events(runId, null))).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aWaitReportsTheEndThatAClosingBrings() {
        Future<Run> waiting = embedded.keeper.awaitEnd(embedded.submit(Embedded.SLEEP));
        Embedded.await(embedded.keeper.close());
        assertThat(Embedded.await(waiting).termination().orElseThrow().subtype())
                .isEqualTo("error_interrupted");
    }

    @Test
    void aWaitForAPersonFailsAtTheClosing() {
        String runId = embedded.submit(Embedded.SILENT);
        assertThat(embedded.until(runId, RunStatus.PAUSED).pause().map(Pause::reason))
                .contains(PauseReason.MISSING_SIGNALS);
        Future<Run> waiting = embedded.keeper.awaitEnd(runId);
        EventSubscription subscription = Embedded.await(embedded.keeper.events(runId, received -> {}));
        Embedded.await(embedded.keeper.close());
        assertThat(Embedded.failure(waiting)).isInstanceOf(LoopkeeperClosedException.class);
        assertThat(subscription.ended().succeeded()).isTrue();
        assertThat(Embedded.failure(embedded.keeper.run(runId))).isInstanceOf(LoopkeeperClosedException.class);
        assertThat(Embedded.failure(embedded.keeper.events(runId, received -> {})))
                .isInstanceOf(LoopkeeperClosedException.class);
        assertThat(Embedded.failure(embedded.keeper.submit(Embedded.GREET, embedded.here())))
                .isInstanceOf(LoopkeeperClosedException.class);
    }

    @Test
    void aWaitFailsWhenVertxIsClosed() {
        String runId = embedded.submit(Embedded.SILENT);
        assertThat(embedded.until(runId, RunStatus.PAUSED).runId()).isEqualTo(runId);
        Future<Run> waiting = embedded.keeper.awaitEnd(runId);
        Embedded.await(embedded.vertx.close());
        assertThat(Embedded.failure(waiting)).isInstanceOf(LoopkeeperClosedException.class);
        assertThat(Embedded.failure(embedded.keeper.awaitEnd(runId))).isInstanceOf(LoopkeeperClosedException.class);
        assertThat(Embedded.failure(embedded.keeper.awaitEnd(runId, NOT_LONG)))
                .isInstanceOf(LoopkeeperClosedException.class);
    }

    @Test
    void closingVertxAloneReleasesTheDataFolder() {
        String runId = embedded.submit(Embedded.SILENT);
        assertThat(embedded.until(runId, RunStatus.PAUSED).runId()).isEqualTo(runId);
        Embedded.await(embedded.vertx.close());

        Vertx next = Vertx.vertx();
        Loopkeeper keeper = Embedded.await(Loopkeeper.start(next, LoopkeeperOptions.of(folder.resolve("data"))));
        assertThat(Embedded.await(keeper.run(runId)).status()).isEqualTo(RunStatus.PAUSED);
        Embedded.await(keeper.close().compose(closed -> next.close()));
    }

    @Test
    void aRefusedResumeSaysWhatMayBeDone() {
        String runId = embedded.submit(Embedded.SILENT);
        Run paused = embedded.until(runId, RunStatus.PAUSED);
        ResumeRequest unknown = ResumeRequest.PLAIN.action(ResumeAction.REFINE_PLAN);
        assertThat(Embedded.failure(embedded.keeper.resume(runId, unknown)))
                .isInstanceOfSatisfying(RunRefusedException.class, refused -> {
                    assertThat(refused.code()).isEqualTo(RefusalCode.ACTION_NOT_ALLOWED);
                    assertThat(refused.allowedActions())
                            .isNotEmpty()
                            .isEqualTo(paused.pause().orElseThrow().allowedActions());
                });
        ResumeRequest end = ResumeRequest.PLAIN.action(ResumeAction.STOP_LOOP_NOW);
        assertThat(Embedded.await(embedded.keeper.resume(runId, end)).runId()).isEqualTo(runId);
        assertThat(ended(runId).status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void anEndFromOutsideIsWhatAwaitSuccessFailsWith() {
        String runId = embedded.submit(
                Embedded.SLEEP + "reasons: [{code: licence-expired, category: fatal, advice: Renew it.}]\n");
        assertThat(embedded.until(runId, RunStatus.RUNNING).runId()).isEqualTo(runId);
        assertRefused(embedded.keeper.end(runId, "licence-expire", "no licence"), RefusalCode.INVALID_REQUEST);

        Future<Run> success = embedded.keeper.awaitSuccess(runId);
        assertThat(Embedded.await(embedded.keeper.end(runId, "licence-expired", "no licence", "seat 7"))
                        .runId())
                .isEqualTo(runId);

        assertThat(Embedded.failure(success)).isInstanceOfSatisfying(TerminalExhaustionException.class, ending -> {
            assertThat(ending.reason().reasonCode()).contains("licence-expired");
            assertThat(ending.reason().category()).isEqualTo(Category.FATAL);
            assertThat(ending.summary()).isEqualTo("no licence");
            assertThat(ending.metadata())
                    .containsEntry("runId", runId)
                    .containsEntry("qualifier", "seat 7")
                    .containsEntry("advice", "Renew it.");
        });
        assertRefused(embedded.keeper.end(runId, "halted", "late"), RefusalCode.NOT_ENDABLE);
        assertThat(Embedded.await(embedded.keeper.awaitSuccess(embedded.submit(Embedded.GREET)))
                        .status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void anEndedRunIsNeitherPausedNorStoppedAgain() {
        String runId = embedded.submit(Embedded.GREET);
        Run over = ended(runId);
        assertRefused(embedded.keeper.pause(runId, "late"), RefusalCode.NOT_PAUSABLE);
        assertRefused(embedded.keeper.resume(runId, ResumeRequest.PLAIN), RefusalCode.NOT_RESUMABLE);
        assertThat(Embedded.await(embedded.keeper.stop(runId, "late")).sequence())
                .isEqualTo(over.sequence());
    }

    @Test
    void aManifestWithFaultsIsRefusedWithAllOfThem() {
        assertThat(Embedded.failure(
                        embedded.keeper.submit("name: x\nagent: {}\nphases: [{name: p, task: q}]\n", embedded.here())))
                .isInstanceOfSatisfying(
                        InvalidManifestException.class,
                        invalid -> assertThat(invalid.problems()).hasSizeGreaterThan(1));
        assertThat(Embedded.failure(embedded.keeper.submit(folder.resolve("absent.yaml"), embedded.here())))
                .isInstanceOf(InvalidManifestException.class);
    }

    @Test
    void aFileIsSubmittedWithWhatIsLaidOverIt() throws IOException {
        Path manifest = Files.writeString(folder.resolve("greet.yaml"), Embedded.GREET);
        Submitted first = Embedded.await(embedded.keeper.submit(
                manifest,
                embedded.here()
                        .runId("mine")
                        .override("name", "other")
                        .variable("A", "b")
                        .queued()
                        .idempotencyKey("once")));
        assertThat(first.run().status()).isEqualTo(RunStatus.QUEUED);
        assertThat(first.run().name()).isEqualTo("other");
        assertThat(first.runId()).isEqualTo("mine");
        assertThat(first.created()).isTrue();
        assertRefused(embedded.keeper.submit(manifest, embedded.here().runId("mine")), RefusalCode.RUN_EXISTS);
        assertThat(Embedded.await(embedded.keeper.resume("mine", ResumeRequest.PLAIN))
                        .runId())
                .isEqualTo("mine");
        assertThat(ended("mine").status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void runsAreListedPageByPage() {
        String first = embedded.submit(Embedded.GREET);
        Run done = ended(first);
        String second = embedded.submit(Embedded.SILENT);
        assertThat(embedded.until(second, RunStatus.PAUSED).runId()).isEqualTo(second);
        Runs page = Embedded.await(embedded.keeper.runs(RunFilter.ALL.limit(1)));
        assertThat(page.runs()).extracting(Runs.Entry::runId).containsExactly(second);
        Runs rest = Embedded.await(embedded.keeper.runs(
                RunFilter.ALL.limit(1).after(page.nextCursor().orElseThrow())));
        assertThat(rest.runs().get(0).run()).contains(done);
        assertThat(Embedded.await(embedded.keeper.runs(RunFilter.of(RunStatus.COMPLETED)))
                        .runs())
                .extracting(Runs.Entry::runId)
                .containsExactly(first);
        assertThat(Embedded.failure(embedded.keeper.runs(RunFilter.ALL.limit(0))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void stepsAreListedPageByPage() {
        String runId = embedded.submit(Embedded.GREET.replace("greeter}]", "greeter}, {name: again, task: greeter}]"));
        assertThat(ended(runId).status()).isEqualTo(RunStatus.COMPLETED);
        StepPage first = Embedded.await(embedded.keeper.steps(runId, 1, Optional.empty()));
        StepPage second = Embedded.await(embedded.keeper.steps(runId, 1, first.nextCursor()));
        assertThat(first.steps()).extracting(Step::phase).containsExactly("greet");
        assertThat(second.steps()).extracting(Step::phase).containsExactly("again");
        assertThat(second.nextCursor()).isEmpty();
        assertThat(Embedded.failure(embedded.keeper.steps(runId, 1001, Optional.empty())))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Embedded.failure(embedded.keeper.steps(runId, 1, Optional.of("page 2"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFailingListenerReceivesEveryEventOnceInOrder() {
        List<RunEvents.Recorded<RunEvent>> received = new CopyOnWriteArrayList<>();
        String runId = embedded.submit(Embedded.GREET);
        EventSubscription live = Embedded.await(embedded.keeper.events(runId, event -> {
            received.add(event);
            if (event.sequence() % 2 == 0) {
                throw new AssertionError("a listener that expects something else");
            }
            throw new IllegalStateException("a listener that breaks");
        }));
        Run run = ended(runId);
        Awaitility.await().until(() -> received.size() == run.sequence());
        live.close();
        assertThat(live.ended().succeeded()).isTrue();
        assertThat(received)
                .extracting(RunEvents.Recorded::sequence)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, run.sequence()).boxed().toList());
        assertThat(received.get(0).event()).isInstanceOf(RunCreated.class);
        assertThat(received).extracting(RunEvents.Recorded::event).hasAtLeastOneElementOfType(RunEnded.class);

        List<Long> late = new CopyOnWriteArrayList<>();
        EventSubscription after = Embedded.await(embedded.keeper.events(runId, event -> late.add(event.sequence())));
        assertThat(late).as("told before the subscription is answered").hasSize((int) run.sequence());
        after.close();
    }
}
