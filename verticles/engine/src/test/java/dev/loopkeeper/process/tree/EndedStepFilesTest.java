package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is left on the disk of a step whose end is durable. */
class EndedStepFilesTest extends SupervisorHarness {
    private Path path(StepSpec step) {
        return data.resolve("runs").resolve(step.runId()).resolve("steps").resolve(step.stepId());
    }

    private static void endIsDurable(Supervising runtime, StepSpec step) {
        StoredEvent finished = new StoredEvent(
                step.runId(),
                1,
                Instant.now(),
                "step.finished",
                1,
                Json.MAPPER.createObjectNode().put("stepId", step.stepId()));
        StoreChannels.eventsOf("step.finished").publish(runtime.vertx.eventBus(), new PositionedEvent(1, finished));
    }

    private static final List<String> KEPT = List.of("claim.json", "context.json", "request.json");

    private static boolean isTidied(Path folder) throws IOException {
        return names(folder).sorted().toList().equals(KEPT);
    }

    private static Stream<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void theNotesOfAnOpenStepGoOnceItsEndIsDurable() throws IOException {
        StepSpec step = step().shell("echo hi").build();
        Supervising runtime = supervisor();
        runtime.launch(step);
        runtime.exitOf(step);
        assertThat(names(path(step))).contains("launch.json", "exit.json", "stderr.log");

        endIsDurable(runtime, step);

        await().atMost(SOON).until(() -> names(path(step)).count() == 4);
        assertThat(names(path(step))).containsAll(KEPT).contains("stdout.log");
        try (Stream<Path> files = Files.list(path(step))) {
            assertThat(files.mapToLong(file -> (file.toFile().length() + 4095) / 4096 * 4096)
                            .sum())
                    .isLessThanOrEqualTo(16 << 10);
        }
        assertThat(stdout(step)).isEqualTo("hi\n");
    }

    /** The note of its processes stayed when they were gone, and the folder was never tidied. */
    @Test
    void aStepWhoseUnmarkedChildWasEndedIsTidiedToo() throws IOException {
        // The step ends only after env has dropped the mark: before, its child is found by that mark and needs no note.
        StepSpec step = step().shell(
                        "mkfifo begun; env -i sh -c 'echo >begun; exec sleep 300' & read -r line <begun; exit 0")
                .build();
        Supervising runtime = supervisor();
        runtime.launch(step);
        runtime.exitOf(step);
        assertThat(names(path(step))).contains("members.json");

        endIsDurable(runtime, step);

        await().atMost(SOON).until(() -> isTidied(path(step)));
    }

    @Test
    void ofAStepThatWasStoppedBeforeItsLaunchNothingIsLeft() throws IOException {
        StepSpec step = step().shell("echo hi").build();
        Files.createDirectories(path(step));
        Files.writeString(path(step).resolve("signal-prepared-at"), "2026-11-20T15:12:33Z");

        endIsDurable(supervisor(), step);

        await().atMost(SOON).until(() -> !Files.exists(path(step)));
    }

    @Test
    void theEndOfAStepThatIsOpenHereChangesNothing() throws IOException {
        StepSpec step = step().shell("while [ ! -e leave ]; do sleep 0.1; done").build();
        Supervising runtime = supervisor();
        runtime.launch(step);
        endIsDurable(runtime, step);
        Files.createFile(workspace.resolve("leave"));

        assertThat(runtime.exitOf(step).process().exitCode()).hasValue(0);
        assertThat(names(path(step))).contains("request.json", "launch.json", "exit.json");
    }

    @Test
    void aStepThatIsOverIsNotLaunchedAgainByALaterRuntime() throws IOException {
        StepSpec step = step().shell("echo ran >>ran").build();
        Supervising runtime = supervisor();
        runtime.launch(step);
        runtime.exitOf(step);
        endIsDurable(runtime, step);
        await().atMost(SOON).until(() -> isTidied(path(step)));

        Supervising next = supervisor();
        StepLaunched again = next.launch(step);
        next.exitOf(step);

        assertThat(again.pid()).isEmpty();
        assertThat(Files.readAllLines(workspace.resolve("ran"))).hasSize(1);
    }

    @Test
    void anEarlierSignalOfAStepThatWasNeverLaunchedStays() throws IOException {
        StepSpec step = step().shell("echo hi").build();
        Files.createDirectories(path(step));
        Files.writeString(path(step).resolve("signal-prepared-at"), "2026-11-20T15:12:33Z");
        Files.writeString(path(step).resolve("leftover-signal.json"), "{}");

        endIsDurable(supervisor(), step);

        await().atMost(SOON).until(() -> names(path(step)).toList().equals(List.of("leftover-signal.json")));
    }

    @Test
    void notesStayWhileProcessesAreLeft() throws IOException {
        StepSpec step = step().id("p.dev.1").shell("echo hi").build();
        Supervising runtime = supervisor();
        runtime.launch(step);
        runtime.exitOf(step);
        Files.writeString(path(step).resolve("survivors.json"), "{\"survivors\":[]}");
        StepSpec other = step().id("p.dev.2").shell("exit 0").build();
        runtime.launch(other);
        runtime.exitOf(other);

        endIsDurable(runtime, step);
        endIsDurable(runtime, other);

        await().atMost(SOON).until(() -> isTidied(path(other)));
        assertThat(names(path(step))).contains("launch.json", "exit.json", "survivors.json");
    }
}
