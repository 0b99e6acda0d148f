package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who embeds a Loopkeeper has a Vert.x with a life of its own. */
class ClosedVertxTest {
    private static final String SLEEP = """
            name: sleep
            agents: {sleeper: {command: [sleep, "300"], onRuntimeDeath: kill}}
            phases: [{name: only, task: sleeper}]
            """;

    private static final String WAIT = """
            name: wait
            agents: {waiter: {command: "while [ ! -e leave ]; do sleep 0.1; done", onRuntimeDeath: kill}}
            phases: [{name: only, task: waiter}]
            """;

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path folder;

    /** A program's own verticle, which starts a Loopkeeper and closes it. */
    private static final class OwnVerticle extends VerticleBase {
        private final LoopkeeperOptions options;
        private Loopkeeper keeper;

        OwnVerticle(LoopkeeperOptions options) {
            this.options = options;
        }

        @Override
        public Future<?> start() {
            return Loopkeeper.start(vertx, options).onSuccess(started -> keeper = started);
        }

        @Override
        public Future<?> stop() {
            return keeper.close();
        }
    }

    @AfterEach
    void close() {
        Keeper.await(vertx.close());
    }

    private LoopkeeperOptions options() {
        return LoopkeeperOptions.of(folder.resolve("data"));
    }

    private void isUnderWay(Loopkeeper keeper) {
        isUnderWay(keeper, SLEEP);
    }

    private void isUnderWay(Loopkeeper keeper, String manifest) {
        Keeper.await(
                keeper.submit(manifest, RunOptions.DEFAULTS.workspace(folder).runId("r1")));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isLookedAfter(keeper));
    }

    private static boolean isLookedAfter(Loopkeeper keeper) {
        return Keeper.await(keeper.steps("r1", 1, Optional.empty())).steps().stream()
                .anyMatch(step -> step.pid().isPresent());
    }

    /** As the next finds it. */
    private void wasInterrupted() {
        Vertx next = Vertx.vertx();
        Loopkeeper keeper = Keeper.await(Loopkeeper.start(next, options()));
        Run run = Keeper.await(keeper.run("r1"));
        Keeper.await(keeper.close().compose(closed -> next.close()));
        assertThat(run.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(run.termination().orElseThrow().subtype()).isEqualTo("error_interrupted");
    }

    @Test
    void aRunWhoseVertxIsClosedWasInterruptedAndHasNotFailed() {
        isUnderWay(Keeper.await(Loopkeeper.start(vertx, options())));
        Keeper.await(vertx.close());
        wasInterrupted();
    }

    @Test
    void aRunWhoseVerticleIsUndeployedWasInterruptedAndHasNotFailed() {
        OwnVerticle own = new OwnVerticle(options());
        String id = Keeper.await(vertx.deployVerticle(own));
        isUnderWay(own.keeper);
        Keeper.await(vertx.undeploy(id));
        wasInterrupted();
    }

    /** It was left to the next runtime, and waited for all the same. */
    @Test
    void aStepThatEndsWhileTheStopOfItsRunIsYetToBeDurableEndsTheRun() throws IOException {
        UnreliableStore store = new UnreliableStore();
        Loopkeeper keeper = Keeper.await(Loopkeeper.start(vertx, options().store(store.over(OpenFolder.EMBEDDED))));
        isUnderWay(keeper, WAIT);
        Future<Runnable> stopping = store.holds("run.stopping");
        Future<Run> ended = keeper.awaitEnd("r1");
        Future<Void> closed = keeper.close();
        Runnable release = Keeper.await(stopping);
        Files.createFile(folder.resolve("leave"));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !isLookedAfter(keeper));
        release.run();
        Keeper.await(closed);
        assertThat(Keeper.await(ended).termination().orElseThrow().subtype()).isEqualTo("error_interrupted");
    }

    @Test
    void aVertxThatIsClosedDuringTheCloseEndsBoth() {
        Loopkeeper keeper = Keeper.await(Loopkeeper.start(vertx, options()));
        isUnderWay(keeper);
        Future<Void> closed = keeper.close();
        Keeper.await(vertx.close());
        wasInterrupted();
        Keeper.await(closed);
    }

    @Test
    void aVertxThatIsClosedDuringTheStartGivesTheFolderBack() {
        Promise<Void> begun = Promise.promise();
        Promise<Void> gate = Promise.promise();
        Future<Loopkeeper> starting = Loopkeeper.start(vertx, options().store((owner, data) -> {
            begun.complete();
            return gate.future().compose(open -> OpenFolder.EMBEDDED.open(owner, data));
        }));
        Keeper.await(begun.future());
        Future<Void> closing = vertx.close();
        assertThatThrownBy(() -> Keeper.await(starting)).isInstanceOf(LoopkeeperClosedException.class);
        gate.complete();
        Keeper.await(closing);

        Vertx next = Vertx.vertx();
        Loopkeeper keeper = Keeper.await(Loopkeeper.start(next, options()));
        Keeper.await(keeper.close().compose(closed -> next.close()));
    }

    @Test
    void aSubmissionReportsThatVertxIsClosed() {
        Loopkeeper keeper = Keeper.await(Loopkeeper.start(vertx, options()));
        CountDownLatch gate = new CountDownLatch(1);
        holdASubmitter(gate);
        holdASubmitter(gate);
        Future<Submitted> submitting = keeper.submit(SLEEP, RunOptions.DEFAULTS.workspace(folder));
        Future<Void> closing = vertx.close();
        gate.countDown();
        assertThatThrownBy(() -> Keeper.await(submitting)).isInstanceOf(LoopkeeperClosedException.class);
        Keeper.await(closing);
    }

    /** Vert.x forgets what else this was to do. */
    @CanIgnoreReturnValue
    private Future<Boolean> holdASubmitter(CountDownLatch gate) {
        return vertx.createSharedWorkerExecutor("loopkeeper-submit")
                .executeBlocking(() -> gate.await(60, TimeUnit.SECONDS), false);
    }

    /** It asked the scheduler of the first one to release its runs. */
    @Test
    void aSecondThatIsRefusedLeavesTheFirstAsItIs() {
        Loopkeeper first = Keeper.await(Loopkeeper.start(vertx, options()));
        LoopkeeperOptions other = LoopkeeperOptions.of(folder.resolve("other"));
        assertThatThrownBy(() -> Keeper.await(Loopkeeper.start(vertx, other))).isInstanceOf(VertxInUseException.class);
        isUnderWay(first);
        Keeper.await(first.close());
    }

    /** They would answer each other's questions, and no run would continue. */
    @Test
    void aSecondInOneVertxIsRefusedUntilTheFirstIsClosed() {
        Loopkeeper first = Keeper.await(Loopkeeper.start(vertx, options()));
        LoopkeeperOptions other = LoopkeeperOptions.of(folder.resolve("other"));
        assertThatThrownBy(() -> Keeper.await(Loopkeeper.start(vertx, other)))
                .isInstanceOfSatisfying(
                        VertxInUseException.class,
                        refused -> assertThat(refused.dataFolder()).isEqualTo(folder.resolve("data")));
        assertThat(Files.exists(folder.resolve("other"))).isFalse();

        Keeper.await(first.close());
        Loopkeeper second = Keeper.await(Loopkeeper.start(vertx, other));
        Keeper.await(second.close());
    }
}
