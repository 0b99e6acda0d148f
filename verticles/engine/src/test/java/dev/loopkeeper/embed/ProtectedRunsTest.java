package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs whose agents change protected files. */
@Execution(ExecutionMode.CONCURRENT)
class ProtectedRunsTest {
    private static final String ISOLATED = "isolation: {git: worktree}\n";
    /** The first iteration changes a test and commits it; the second does its work. */
    private static final String LOOP = """
            name: one
            protect: [tests/**]
            agents:
              dev: {command: "date +%N >> work.txt; [ $LOOPKEEPER_ITERATION = 2 ] || { echo x > tests/a; git add .; git commit -qm me; }"}
              judge: {command: "echo '{\\"determination\\": \\"SUCCESS\\"}' > judge.json", signal: judge.json}
            phases: [{name: build, loop: {steps: [dev, judge], maxIterations: 3}}]
            """;

    @TempDir
    private Path folder;

    private SmallRepository repository;

    @BeforeEach
    void haveRepository() throws IOException {
        repository = SmallRepository.in(folder.resolve("repository"));
        Files.createDirectory(repository.folder().resolve("tests"));
        Files.writeString(repository.folder().resolve("tests/a"), "right\n");
        repository.git("add", ".");
        repository.git("commit", "-q", "-m", "tests");
    }

    private Keeper keeper() throws IOException {
        return new Keeper(folder.toRealPath().resolve("data"), repository.folder());
    }

    private static List<String> steps(Keeper keeper, String runId) {
        return keeper.events(runId).stream()
                .filter(event -> event.type().equals("step.finished"))
                .map(StoredEvent::data)
                .map(step -> step.path("stepId").asText() + " "
                        + step.at("/note/verdict").asText("-"))
                .toList();
    }

    @Test
    void aWorktreeIsSetBackAlsoWhereTheAgentCommitted() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(ISOLATED + LOOP);
            keeper.untilEnded(runId);

            keeper.until(runId, "completed");
            assertThat(steps(keeper, runId))
                    .containsExactly("build.1.dev.1 rejected", "build.2.dev.1 -", "build.2.judge.1 -");
            Failure failure = keeper.context(runId, "build.2.dev.1")
                    .orElseThrow()
                    .failure()
                    .orElseThrow();
            assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
            assertThat(failure.files()).containsExactly("tests/a");
            assertThat(failure.message()).endsWith("tests/a; they are set back");
            String branch = "loopkeeper/" + runId;
            assertThat(repository.git("log", "--format=%s", "main.." + branch).lines())
                    .containsSubsequence("build.2.dev.1: completed", "build.1.dev.1: rejected", "me");
            assertThat(repository.git("diff", "--name-only", "main", branch)).isEqualTo("judge.json\nwork.txt");
        }
    }

    @Test
    void inPlaceReportsChangedFilesToTheNextLaunch() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start(LOOP.replace("maxIterations: 3", "maxIterations: 3, pauseEvery: 1"));
            keeper.until(runId, "paused");
            assertThat(repository.folder().resolve("tests/a")).hasContent("x");
            Files.writeString(repository.folder().resolve("tests/a"), "by a person");
            Files.writeString(repository.folder().resolve("tests/b"), "by a person");

            keeper.resume(runId, ResumeRequest.PLAIN);
            keeper.untilEnded(runId);

            assertThat(steps(keeper, runId))
                    .containsExactly("build.1.dev.1 rejected", "build.2.dev.1 -", "build.2.judge.1 -");
            assertThat(keeper.context(runId, "build.2.dev.1")
                            .orElseThrow()
                            .failure()
                            .orElseThrow()
                            .files())
                    .containsExactly("tests/a");
        }
    }

    @Test
    void anItemIsTriedAgainUnlessItsAgentMayChangeTheFiles() throws IOException {
        try (Keeper keeper = keeper()) {
            String runId = keeper.start("""
                    name: items
                    retry: {stopConditions: {maxRejectRate: 0, maxRetryRate: 0}}
                    agents:
                      tester: {command: "echo $LOOPKEEPER_ATTEMPT > tests/b"}
                      dev: {command: "[ $LOOPKEEPER_ATTEMPT = 2 ] || rm tests/*; echo y > b", protect: ["tests/**"]}
                    phases: [{name: all, each: {items: [{id: f1}], steps: [tester, dev]}}]
                    """);
            keeper.untilEnded(runId);

            keeper.until(runId, "completed");
            assertThat(steps(keeper, runId))
                    .containsExactly(
                            "all.f1.tester.1 -", "all.f1.dev.1 rejected", "all.f1.tester.2 -", "all.f1.dev.2 -");
            assertThat(keeper.context(runId, "all.f1.tester.2")
                            .orElseThrow()
                            .failure()
                            .orElseThrow()
                            .files())
                    .containsExactly("tests/a", "tests/b");
        }
    }
}
