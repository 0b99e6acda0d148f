package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ContinueRuns;
import dev.loopkeeper.contract.SchedulerChannels.ListWaiting;
import dev.loopkeeper.contract.SchedulerChannels.ReleaseRuns;
import dev.loopkeeper.store.Duties;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that waits for a place and is left to another process. */
class ReleasedRunTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String PATIENT = """
            name: patient
            agents: {dev: {command: [sh, -c, "i=0; until [ -e go -o $i = 2400 ]; do i=$((i+1)); sleep 0.05; done"]}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private final Set<String> left = ConcurrentHashMap.newKeySet();
    private Keeper keeper;

    /** All runs but those that it was asked to leave. */
    private final Ownership all = new Ownership() {
        @Override
        public long epoch(String runId) {
            return 1;
        }

        @Override
        public boolean mayAct() {
            return true;
        }

        @Override
        public boolean isOwn(String runId) {
            return !left.contains(runId);
        }

        @Override
        public void release(String runId) {
            left.add(runId);
        }
    };

    @BeforeEach
    void startKeeper() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data)
                .maxRuns(1)
                .member(Membership.of(all, RunRouting.HERE, Duties.sole(), SharedSignalFiles.none()));
        keeper = new Keeper(data, folder.resolve("workspace"), options);
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    private List<String> waiting() {
        return Keeper.await(SchedulerChannels.WAITING.ask(keeper.vertx().eventBus(), new ListWaiting(), SOON))
                .runIds();
    }

    private List<String> release(String... runIds) {
        return Keeper.await(SchedulerChannels.RELEASE.ask(
                        keeper.vertx().eventBus(), new ReleaseRuns(List.of(runIds)), SOON))
                .runIds();
    }

    @Test
    void onlyWhatWaitsIsLeftAndTakesNoSlotAnyMore() throws IOException {
        String under = keeper.start(PATIENT);
        keeper.until(under, "running");
        String second = keeper.start(PATIENT);
        String third = keeper.start(PATIENT);
        assertThat(waiting()).containsExactly(second, third);

        assertThat(release(under, second, "nobody")).containsExactly(second);
        assertThat(left).containsExactly(second);
        assertThat(waiting()).containsExactly(third);
        assertThat(release(second)).as("once").isEmpty();

        Files.createFile(keeper.workspace().resolve("go"));
        keeper.until(third, "completed");
        assertThat(keeper.get(second).path("status").asText()).isEqualTo("queued");
        left.clear();
        Keeper.await(SchedulerChannels.CONTINUE.ask(
                keeper.vertx().eventBus(), new ContinueRuns(List.of(second), true), SOON));
        keeper.until(second, "completed");
        assertThat(waiting()).isEmpty();
    }
}
