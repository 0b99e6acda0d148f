package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.StepWorktree;
import dev.loopkeeper.store.MemoryStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.termination.StopCause;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of a run that has ended. */
class RunActorsTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33Z");
    private static final long PATIENCE_SECONDS = 60;
    private static final String ONE_TASK = """
            {"name": "one", "agents": {"a": {"command": "true"}}, "phases": [{"name": "only", "task": "a"}]}
            """;

    @TempDir
    private Path data;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final Map<String, RunActor> runs = new HashMap<>();
    private final List<RunActor> executed = new CopyOnWriteArrayList<>();
    private final List<String> lateOnes = new CopyOnWriteArrayList<>();
    private CheckpointFile checkpoint;
    private RunJournal journal;
    private RunActors actors;

    @BeforeEach
    void recordARunThatHasEnded() throws Exception {
        checkpoint = new CheckpointFile(vertx, data);
        MemoryStore store = new MemoryStore(vertx);
        journal = new RunJournal(
                store,
                store::append,
                Ownership.sole(),
                new CheckpointProjection(vertx, checkpoint, CheckpointProjection.INTERVAL),
                vertx.createSharedWorkerExecutor("snapshots"));
        actors = new RunActors(
                journal,
                LoadedRuns.in(vertx),
                runs,
                new SignalClaims(vertx, SharedSignalFiles.none(), runs),
                new WakeTimers(vertx),
                state -> new RunActor(state, journal, new LoadingHost()),
                state -> Optional.empty());
        var document = Json.MAPPER.readTree(ONE_TASK);
        Manifest manifest = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
        Decision made = RunMachine.create(
                new RunCreated(
                        "r1",
                        "one",
                        "nonce",
                        "/",
                        "/",
                        false,
                        document,
                        manifest,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                NOW);
        Decision ended =
                RunMachine.decide(made.state(), new RunInput.Stop(NOW, StopCause.OPERATOR, Optional.empty(), false));
        await(() -> journal.append(0, made, NOW, Optional.empty()));
        await(() -> journal.append(made.state().sequence(), ended, NOW, Optional.empty()));
    }

    @AfterEach
    void closeVertx() throws Exception {
        assertThat(checkpoint.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
        assertThat(vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    @CanIgnoreReturnValue
    private <T> T await(Supplier<Future<T>> work) throws Exception {
        Promise<T> done = Promise.promise();
        context.runOnContext(turn ->
                Future.<Void>succeededFuture().compose(now -> work.get()).onComplete(done));
        return done.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private RunActor found() throws Exception {
        return await(() -> actors.find("r1")).orElseThrow();
    }

    private String shown() {
        return LoadedRuns.in(vertx)
                .find("r1")
                .map(run -> run.view().path("status").asText())
                .orElse("nothing");
    }

    /** Its state of before was shown once more, over that of the actor which continues. */
    @Test
    void aReleasedActorIgnoresGitAndPublishesNothing() throws Exception {
        RunActor released = found();
        await(() -> {
            actors.releaseIfOver(released);
            return Future.succeededFuture();
        });
        assertThat(shown()).isEqualTo("nothing");
        RunActor held = found();
        assertThat(held).isNotSameAs(released);
        await(() -> held.ask(new RunInput.Resume(NOW, ResumeRequest.PLAIN)));
        assertThat(shown()).isEqualTo("running");

        StepWorktree worktree = new StepWorktree(
                "/repository",
                "",
                "worktree",
                new StepWorktree.Branch("b", "base", "base"),
                false,
                List.of(),
                Optional.empty());
        RunInput answer = new RunInput.GitDone(
                NOW, new RunCommand.DropWorktree(worktree), new GitResult.Finished(Optional.empty()));
        assertThatThrownBy(() -> await(() -> released.report(answer))).isInstanceOf(StoreUnavailableException.class);

        assertThat(shown()).isEqualTo("running");
        assertThat(executed).containsOnly(held);
        assertThat(lateOnes).isEmpty();
    }

    /** The second one asked an actor that was no process's: what that began was owned by no process. */
    @Test
    void aCallerOfAReleasedRunGetsItLoadedAgain() throws Exception {
        Optional<RunActor> found = await(() -> {
            var unused = actors.find("r1").onSuccess(run -> actors.releaseIfOver(run.orElseThrow()));
            return actors.find("r1");
        });
        RunActor second = found.orElseThrow();

        assertThat(second.isDropped()).isFalse();
        assertThat(actors.loaded("r1")).containsSame(second);
    }

    private final class LoadingHost implements RunHost {
        @Override
        public void execute(RunActor run, Decision decision) {
            executed.add(run);
            actors.publish(decision.state());
        }

        @Override
        public void broken(RunActor run, RunInput input, Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void late(RunState state, String what) {
            lateOnes.add(what);
        }

        @Override
        public Future<Capacity> capacity(RunActor run, RunInput input) {
            return Future.succeededFuture(Capacity.FREE);
        }

        @Override
        public LaunchGates gates() {
            return LaunchGates.OPEN;
        }

        @Override
        public void undone(RunActor run) {}

        @Override
        public void storeFailed(RunActor run, Throwable cause) {
            throw new AssertionError(cause);
        }
    }
}
