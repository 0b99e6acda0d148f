package dev.loopkeeper.scheduler;

import static dev.loopkeeper.scheduler.ActorSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PrepareWorktree;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.store.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that merges items, with a git that answers when it is asked to. */
class GitOrdersTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final String THREE_ITEMS = """
            {"name": "one", "isolation": {"git": "worktree"}, "agents": {"a": {"command": "true"}}, "phases": [
              {"name": "all", "each": {"steps": ["a"], "concurrency": 3,
                "items": [{"id": "1"}, {"id": "2"}, {"id": "3"}]}}]}
            """;

    @TempDir
    private Path data;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    /** By item: what git is at. */
    private final Map<String, Promise<ItemMerged>> merging = new LinkedHashMap<>();

    private final AtomicInteger finishes = new AtomicInteger();

    /** Worktrees of attempts that are over; until they are, nothing but a merge says that the next one may begin. */
    private final Promise<WorktreeFinished> cleared = Promise.promise();

    private Scheduler scheduler;
    /** The owner of the run, or its last one. */
    private volatile RunActor actor;

    @BeforeEach
    void startRun() throws Exception {
        RecordCodec.register(vertx);
        await(() -> Future.all(
                WorktreeChannels.PREPARE.serve(vertx.eventBus(), GitOrdersTest::prepared),
                WorktreeChannels.MERGE_ITEM.serve(vertx.eventBus(), this::merge),
                WorktreeChannels.FINISH.serve(vertx.eventBus(), any -> finish()),
                ProcessChannels.LAUNCH.serve(
                        vertx.eventBus(),
                        asked -> Future.succeededFuture(new StepLaunched(
                                asked.step().runId(), asked.step().stepId(), OptionalLong.of(1), false))),
                ProcessChannels.STOP.serve(
                        vertx.eventBus(),
                        asked -> Future.succeededFuture(KillReceipt.nothing(asked.runId(), asked.stepId(), NOW)))));
        MemoryStore store = new MemoryStore(vertx);
        scheduler = await(() -> Future.succeededFuture(ActorSamples.scheduler(vertx, data, store)));
        Decision created = created();
        await(() -> scheduler.journal.append(0, created, NOW, Optional.empty()));
        ask(new RunInput.Start(NOW));
    }

    @AfterEach
    void closeVertx() throws Exception {
        assertThat(vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    private static Decision created() {
        return ActorSamples.created("r1", Optional.of(new GitOrigin("/repository", "", "base")), THREE_ITEMS);
    }

    private static Future<PreparedWorktree> prepared(PrepareWorktree command) {
        return Future.succeededFuture(new PreparedWorktree(Path.of("/there"), Path.of("/there"), "base", false));
    }

    private Future<ItemMerged> merge(MergeItem command) {
        asked.add(command.item());
        Promise<ItemMerged> answer = Promise.promise();
        merging.put(command.item(), answer);
        return answer.future();
    }

    private Future<WorktreeFinished> finish() {
        finishes.incrementAndGet();
        return cleared.future();
    }

    /** An actor belongs to one context, and so do git's answers. */
    @CanIgnoreReturnValue
    private <T> T await(Supplier<Future<T>> work) throws Exception {
        Promise<T> done = Promise.promise();
        context.runOnContext(turn ->
                Future.<Void>succeededFuture().compose(now -> work.get()).onComplete(done));
        return done.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void ask(RunInput input) throws Exception {
        await(() -> scheduler.actors.find("r1").compose(found -> {
            actor = found.orElseThrow();
            return actor.ask(input);
        }));
    }

    /** Its only step ends well, with a commit. */
    private void approve(String item) throws Exception {
        StepOutcome.Commit commit = new StepOutcome.Commit("c" + item, Changed.NOTHING, Changed.NOTHING);
        StepOutcome outcome = ActorSamples.outcome(
                ExitCause.EXITED, 0, "stop", Optional.of(new StepOutcome.Git(Optional.of(commit), Optional.empty())));
        ask(new RunInput.StepEnded(NOW, "all." + item + ".a.1", outcome));
    }

    private void answer(String item) throws Exception {
        ItemMerged merged =
                new ItemMerged(Optional.of("m" + item), List.of(), "m" + item, "tree", Changes.NONE, Changes.NONE);
        await(() -> {
            merging.get(item).complete(merged);
            return Future.succeededFuture();
        });
    }

    private void clear() throws Exception {
        await(() -> {
            cleared.complete(new WorktreeFinished(Optional.empty(), Optional.empty()));
            return Future.succeededFuture();
        });
    }

    private void untilAsked(String... items) {
        Awaitility.await().untilAsserted(() -> assertThat(asked).containsExactly(items));
    }

    /** What was sent to git before has arrived: each merge is preceded by two questions. */
    private void untilAllHasArrived() throws Exception {
        PrepareWorktree any = new PrepareWorktree(null, "base", "base", "", List.of(), false);
        for (int hop = 0; hop < 5; hop++) {
            await(() -> WorktreeChannels.PREPARE.ask(vertx.eventBus(), any, Duration.ofSeconds(PATIENCE_SECONDS)));
        }
    }

    @Test
    void mergesOfARunAreSequential() throws Exception {
        approve("2");
        untilAsked("2");
        approve("1");
        approve("3");
        untilAllHasArrived();
        assertThat(asked).as("while a merge is under way").containsExactly("2");

        answer("2");
        untilAsked("2", "1");
        untilAllHasArrived();
        assertThat(asked).containsExactly("2", "1");
        answer("1");
        untilAsked("2", "1", "3");
        answer("3");
        clear();

        Awaitility.await().until(() -> actor.state().status() == RunStatus.COMPLETED);
        assertThat(actor.state().git().orElseThrow().head()).isEqualTo("m3");
    }

    /** It is requested when the run continues. */
    @Test
    void aMergeOfAPausedRunStartsWhenTheRunResumes() throws Exception {
        approve("2");
        untilAsked("2");
        approve("1");
        ask(new RunInput.Pause(NOW, Optional.empty()));
        approve("3");
        assertThat(actor.state().status()).isEqualTo(RunStatus.PAUSED);
        answer("2");
        untilAllHasArrived();
        assertThat(asked).containsExactly("2");

        ask(new RunInput.Resume(NOW, ResumeRequest.PLAIN));
        untilAsked("2", "1");
        answer("1");
        untilAsked("2", "1", "2");
        answer("2");
        untilAsked("2", "1", "2", "3");
        answer("3");
        clear();

        Awaitility.await().until(() -> actor.state().status() == RunStatus.COMPLETED);
    }

    /** No caller received the answer, and it was not requested again: the run hung. */
    @Test
    void aReloadedRunRepeatsARunningMergeAfterARelease() throws Exception {
        approve("2");
        untilAsked("2");
        release();
        ask(new RunInput.Recover(NOW));
        answer("2");

        untilAsked("2", "2");
        answer("2");
        Awaitility.await().until(() -> actor.state().git().orElseThrow().head().equals("m2"));
    }

    /** The node that takes it up finds in the store what has become of it, and may be at the next step by then. */
    @Test
    void aReleasedRunDoesNotRepeatItsQueuedMerge() throws Exception {
        approve("2");
        untilAsked("2");
        approve("3");
        release();
        answer("2");
        untilAllHasArrived();

        assertThat(asked).containsExactly("2");
    }

    @Test
    void aReleasedRunDoesNotRepeatItsQueuedRemoval() throws Exception {
        approve("2");
        untilAsked("2");
        answer("2");
        Awaitility.await().until(() -> finishes.get() == 1);
        ask(new RunInput.Recover(NOW));
        release();
        clear();
        untilAllHasArrived();

        assertThat(finishes).hasValue(1);
    }

    /** It is about to end for that reason. */
    @Test
    void aFailedMergeIsReportedAndNotRepeated() throws Exception {
        approve("2");
        untilAsked("2");
        approve("3");
        await(() -> {
            merging.get("2").fail(new IllegalStateException("no answer of git"));
            return Future.succeededFuture();
        });
        Awaitility.await().until(() -> actor.state().condition() instanceof Condition.Stopping);
        untilAllHasArrived();

        assertThat(asked).containsExactly("2");
    }

    /** One that waits for a person is held no longer, and gets no answer. */
    @Test
    void aReloadedRunRepeatsARunningMergeAfterAPause() throws Exception {
        approve("2");
        untilAsked("2");
        approve("1");
        approve("3");
        ask(new RunInput.Pause(NOW, Optional.empty()));
        assertThat(actor.state().status()).isEqualTo(RunStatus.PAUSED);
        release();
        ask(new RunInput.Resume(NOW, ResumeRequest.PLAIN));
        ask(new RunInput.Recover(NOW));
        answer("2");

        untilAsked("2", "1");
        answer("1");
        untilAsked("2", "1", "2");
    }

    private void release() throws Exception {
        await(() -> {
            scheduler.actors.drop(actor);
            return Future.succeededFuture();
        });
    }
}
