package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stop that arrives while the resume of an ended run is being recorded. */
class StopDuringResumeTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final UnreliableStore store = new UnreliableStore();

    /** The stop was answered with the ended run, and the resumed agent ran on. */
    @Test
    void stopsTheResumedRun() throws Exception {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).store(store.over(OpenFolder.EMBEDDED));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            String runId = keeper.start("""
                    name: waits
                    agents: {dev: {command: [sleep, "600"]}}
                    phases: [{name: p, task: dev}]
                    """);
            keeper.stop(runId, true);
            keeper.until(runId, "stopped");

            Future<Runnable> recording = store.holds("run.resumed");
            Future<RunAnswer> resumed =
                    RunChannels.RESUME.ask(keeper.vertx().eventBus(), new ResumeRun(runId, ResumeRequest.PLAIN), SOON);
            Runnable record = Keeper.await(recording);
            Future<RunAnswer> stopped =
                    RunChannels.STOP.ask(keeper.vertx().eventBus(), new StopRun(runId, Optional.empty(), true), SOON);
            // Answered by the same scheduler after the stop, which is therefore decided or waits.
            keeper.get(runId);
            record.run();

            assertThat(Keeper.await(resumed).refusal()).isEmpty();
            assertThat(Keeper.await(stopped).refusal()).isEmpty();
            keeper.until(runId, "stopped");
            assertThat(keeper.events(runId).stream().map(StoredEvent::type))
                    .containsSubsequence("run.ended", "run.resumed", "run.stopping", "run.ended");
        }
    }
}
