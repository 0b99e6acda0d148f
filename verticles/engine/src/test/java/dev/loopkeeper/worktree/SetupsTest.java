package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.WorktreeChannels.EndPreparation;
import dev.loopkeeper.contract.WorktreeChannels.SetUpWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.WorktreeSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SetupsTest {
    @TempDir
    private Path folder;

    private Sample sample;
    private Worktrees worktrees;
    private Path log;

    @BeforeEach
    void prepare() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        worktrees.prepare(Sample.prepare(sample.location(), sample.base()));
        log = sample.data.resolve("runs").resolve(Sample.RUN).resolve("setup.log");
    }

    private static SetUpWorktree setup(WorktreeLocation location, String text, Duration timeout) {
        return new SetUpWorktree(
                location,
                "",
                new WorktreeSetup(CommandLine.ofShell(text), timeout),
                Map.of("COLOUR", "blue"),
                List.of());
    }

    private SetUpWorktree setup(String text) {
        return setup(sample.location(), text, Duration.ofMinutes(1));
    }

    @Test
    void runsOnceInTheWorktreeWithTheEnvironmentOfTheManifest() {
        worktrees.setUp(setup("echo $COLOUR >> made.txt; git config core.hooksPath || echo hooks as they are"));
        worktrees.setUp(setup("echo again >> made.txt"));

        assertThat(log.resolveSibling("worktree").resolve("made.txt")).hasContent("blue");
        assertThat(log).hasContent("hooks as they are");
    }

    @Test
    void aFailureHasTheLastLinesAndTheNextTryRunsAgain() {
        assertThatThrownBy(() -> worktrees.setUp(setup("seq 30; echo broken >&2; exit 3")))
                .isInstanceOfSatisfying(WorktreeException.class, reported -> {
                    assertThat(reported.problem()).isEqualTo(Problem.SETUP_FAILED);
                    assertThat(reported.isTransient()).isFalse();
                    assertThat(reported).hasMessageContaining("ended with 3").hasMessageEndingWith("\n29\n30\nbroken");
                });

        worktrees.setUp(setup("echo good"));
        assertThat(log).hasContent("good");
    }

    @Test
    void aTimeoutEndsTheTreeAndReportsTheLastLines() {
        Duration soon = Duration.ofMillis(300);
        String command = "setsid sleep 250 & echo $!; sleep 250; :";

        assertThatThrownBy(() -> worktrees.setUp(setup(sample.location(), command, soon)))
                .hasMessageContaining("did not end within 300 ms");

        Awaitility.await().until(() -> child().isEmpty());
    }

    private Optional<ProcessHandle> child() throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(log).strip())).filter(ProcessHandle::isAlive);
    }

    @Test
    void aStopEndsTheTreeAndTheNextRuntimeSetsUpAgain() throws IOException {
        CompletableFuture<SetUpWorktree> running =
                CompletableFuture.supplyAsync(() -> worktrees.setUp(setup("setsid sleep 250 & echo $!; sleep 250; :")));
        Awaitility.await()
                .until(() -> Files.exists(log) && Files.readString(log).endsWith("\n"));

        assertThat(worktrees.end(new EndPreparation(sample.location()))).isEqualTo(1);

        assertThatThrownBy(running::join)
                .cause()
                .isInstanceOfSatisfying(
                        WorktreeException.class,
                        reported -> assertThat(reported.problem()).isEqualTo(Problem.PREPARATION_ENDED));
        Awaitility.await().until(() -> child().isEmpty());
        sample.worktrees().setUp(setup("echo again"));
        assertThat(log).hasContent("again");
    }

    @Test
    void aLargeLogKeepsItsEnd() throws IOException {
        worktrees.setUp(setup("yes 0123456789 | head -c 20000000; echo the end"));

        assertThat(Files.size(log)).isLessThan(2 << 20);
        assertThat(Files.readString(log))
                .startsWith("[earlier output was dropped]")
                .endsWith("the end\n");
    }

    @Test
    void theWordsOfASandboxComeBeforeTheCommand() {
        worktrees.setUp(new SetUpWorktree(
                sample.location(),
                "",
                new WorktreeSetup(CommandLine.ofShell("echo $INSIDE"), Duration.ofMinutes(1)),
                Map.of(),
                List.of("env", "INSIDE=yes")));

        assertThat(log).hasContent("yes");
    }

    @Test
    void eachItemHasALogOfItsOwn() throws IOException {
        WorktreeLocation item = sample.item("f", 1);
        worktrees.prepare(Sample.prepare(item, sample.base()));

        worktrees.setUp(setup(item, "echo item", Duration.ofMinutes(1)));

        assertThat(log.resolveSibling("setup.f.1.log")).hasContent("item");
        assertThat(log).doesNotExist();
    }
}
