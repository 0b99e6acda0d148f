package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Java starts a program and then fails, because the machine has no thread that could wait for its end. */
class NoThreadForLauncherTest extends SupervisorHarness {
    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final WorkerExecutor workers = vertx.createSharedWorkerExecutor("supervisor");
    private final List<StepExited> exits = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeRuntime() {
        done(vertx.close());
    }

    private StepLaunched launch(StepSpec step, Launcher.Starting starting) {
        SupervisorContext around =
                SupervisorContext.of(vertx, context, workers, SupervisorOptions.of(data), SmallFiles.REAL);
        Launcher launcher = new Launcher(
                around.options(), workers, ClientEnvironments.in(around.vertx()), () -> true, List::of, starting);
        ProcessSupervisor supervisor = new ProcessSupervisor(around, launcher, text -> text, exits::add);
        Promise<StepLaunched> answer = Promise.promise();
        context.runOnContext(
                turn -> supervisor.launch(new LaunchStep(step, false)).onComplete(answer));
        Future<StepLaunched> launched = answer.future();
        return done(launched);
    }

    private static OutOfMemoryError noThread() {
        return new OutOfMemoryError("unable to create native thread: possibly out of memory");
    }

    private StepExited exit() {
        await().atMost(SOON).until(() -> !exits.isEmpty());
        return exits.get(0);
    }

    @Test
    void anAgentThatWasStartedAllTheSameIsWatchedToItsEnd() throws Exception {
        StepSpec step =
                step().shell("while [ ! -e leave ]; do sleep 0.1; done; exit 7").build();

        StepLaunched launched = launch(step, program -> {
            Process begun = StartedLauncher.begin(program);
            assertThat(begun.isAlive()).isTrue();
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> folderOf(step).claimant().isPresent());
            throw noThread();
        });

        assertThat(launched.pid()).isPresent();
        Files.createFile(workspace.resolve("leave"));
        assertThat(exit().process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(exit().process().exitCode()).hasValue(7);
    }

    @Test
    void anAgentThatWasNotStartedNeverIsAndTheRemedyIsNamed() {
        StepSpec step = step().shell("echo ran >ran").build();

        StepLaunched launched = launch(step, program -> {
            throw noThread();
        });

        assertThat(launched.pid()).isEmpty();
        assertThat(exit().process().cause()).isEqualTo(ExitCause.LAUNCH_FAILED);
        assertThat(exit().launchError()).isEqualTo(Optional.of(ErrorKind.INFRASTRUCTURE));
        assertThat(exit().process().diagnostic().orElseThrow()).contains("agent \"dev\"", "native thread", "ulimit -u");
        assertThat(folderOf(step).path().resolve("claim.json")).exists();
        assertThat(workspace.resolve("ran")).doesNotExist();
    }
}
