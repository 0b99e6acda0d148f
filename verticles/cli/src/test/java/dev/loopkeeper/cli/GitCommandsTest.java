package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.print.Screen;
import dev.loopkeeper.embed.SmallRepository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people ask of git through the command line. */
class GitCommandsTest {
    private static final String ONE_TASK = """
            name: m
            workspace: %s
            isolation: {git: worktree}
            agents: {dev: {command: [/bin/true], timeout: 1m}}
            phases: [{name: build, task: dev}]
            """;

    @TempDir
    private Path folder;

    private SmallRepository repository;
    private Terminal terminal;

    @BeforeEach
    void haveRepository() throws IOException {
        repository = SmallRepository.in(folder.resolve("repository"));
        terminal = new Terminal(folder.resolve("data"));
    }

    private void run(String runId, String rest) throws IOException {
        run(runId, "", rest);
    }

    private void run(String runId, String isolation, String rest) throws IOException {
        Path manifest = Files.writeString(
                folder.resolve("m.yaml"),
                "name: m\nworkspace: repository\nisolation: {git: worktree" + isolation + "}\n" + rest);
        Terminal.CommandOutput result = terminal.type("run", manifest.toString(), "--run-id", runId);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    }

    @Test
    void aDiffIsWhatGitAppliesAndMovesNoCursor() throws IOException {
        run("hostile", """
                agents:
                  dev:
                    command: |
                      printf 'first\\n  deep \\033[31mred\\033[2J\\r\\n' > list.txt
                      printf 'x\\n' > "$(printf 'two\\nlines \\033[7m')"
                phases: [{name: build, task: dev}]
                """);

        Terminal.CommandOutput piped = terminal.type("diff", "hostile");
        Path patch = Files.writeString(folder.resolve("patch"), piped.out());
        repository.git("apply", patch.toString());

        assertThat(repository.folder().resolve("list.txt"))
                .content()
                .isEqualTo("first\n  deep \u001b[31mred\u001b[2J\r\n");
        assertThat(repository.folder().resolve("two\nlines \u001b[7m"))
                .content()
                .isEqualTo("x\n");
        terminal.screen = Optional.of(Screen.of(80, 24));
        String shown = terminal.type("diff", "hostile").out();
        assertThat(shown)
                .doesNotContain("\u001b", "\r")
                .contains("\n first\n+  deep red\n", "+++ \"b/two\\nlines \\033[7m\"");
    }

    @Test
    void aDiffIsWrittenToAFileByteByByteOrNotAtAll() throws Exception {
        run("bytes", """
                agents: {dev: {command: "printf 'a\\\\351\\\\n' > latin.txt; seq 1 300000 > big.txt", timeout: 1m}}
                phases: [{name: build, task: dev}]
                """);
        Path file = folder.resolve("bytes.diff");

        Terminal.CommandOutput result = terminal.type("diff", "bytes", "build.dev.1", "-o", file.toString());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                .startsWith("diff --git a/big.txt b/big.txt\n")
                .endsWith("\n+a\u00e9\n")
                .hasSizeGreaterThan(2 << 20);
        Path absent = folder.resolve("absent/x.diff");
        assertThat(terminal.type("diff", "bytes", "-o", absent.toString()).exitCode())
                .isEqualTo(2);
        assertThat(terminal.type("diff", "bytes", "-o", file.toString(), "--json")
                        .exitCode())
                .isEqualTo(2);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.endsWith(".part"));
        }
    }

    @Test
    void showPrintsTheCommitsOfEachIteration() throws IOException {
        run("shown", """
                agents: {dev: {command: "echo more >> list.txt", timeout: 1m}}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 2}}]
                """);

        assertThat(terminal.type("show", "shown").out())
                .contains("  branch loopkeeper/shown, 1 file changed, +2 -0\n")
                .contains("  iteration 1: 1 commit, 1 file, +1 -0\n  iteration 2: 1 commit, 1 file, +1 -0\n");
    }

    @Test
    void showOffersAMergeUntilItIsMade() throws IOException {
        run("merged", """
                agents: {dev: {command: "echo more >> list.txt", timeout: 1m}}
                phases: [{name: build, task: dev}]
                """);
        assertThat(terminal.type("show", "merged").out()).contains("merge them with: loopkeeper merge merged");

        assertThat(terminal.type("merge", "merged").exitCode()).isZero();

        assertThat(terminal.type("show", "merged").out())
                .contains("the branch that is checked out contains them")
                .doesNotContain("loopkeeper merge");
    }

    @Test
    void aRemovalWithoutAServerLeavesOnlyTheBranch() throws IOException {
        run("gone", """
                agents: {dev: {command: "echo more >> list.txt", timeout: 1m}}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 2}}]
                """);
        assertThat(repository.git("for-each-ref", "refs/loopkeeper")).isNotEmpty();

        Terminal.CommandOutput result = terminal.type("prune", "--keep", "0", "--yes");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(repository.git("for-each-ref", "refs/loopkeeper")).isEmpty();
        assertThat(repository.git("worktree", "list").lines()).hasSize(1);
        assertThat(repository.git("branch", "--list", "loopkeeper/gone")).isNotEmpty();
    }

    @Test
    void aRunWithWorkThatExistsNowhereElseIsRemovedByForceAlone() throws IOException {
        run("keeps", ", keep: true", """
                agents: {dev: {command: "echo more >> list.txt", timeout: 1m}}
                phases: [{name: build, task: dev}]
                """);
        Path worktree = folder.toRealPath().resolve("data/runs/keeps/worktree");
        Files.writeString(worktree.resolve("new.txt"), "work");

        Terminal.CommandOutput listed = terminal.type("prune", "--keep", "0");
        Terminal.CommandOutput refused = terminal.type("prune", "--keep", "0", "--yes");

        assertThat(listed.out()).isEqualTo(refused.out());
        assertThat(refused.out())
                .startsWith(
                        "run keeps is kept because its worktree holds work that exists nowhere else:\n  " + worktree)
                .contains(" prune --keep 0 --force --yes");
        assertThat(worktree.resolve("new.txt")).hasContent("work");
        assertThat(terminal.type("show", "keeps").exitCode()).isZero();

        Terminal.CommandOutput forced = terminal.type("prune", "--keep", "0", "--force", "--yes");

        assertThat(forced.out()).as(forced.err()).contains("removed 1 run");
        assertThat(worktree).doesNotExist();
        assertThat(repository.git("worktree", "list").lines()).hasSize(1);
    }

    private Path oneTask(String workspace) throws IOException {
        return Files.writeString(folder.resolve("m.yaml"), ONE_TASK.formatted(workspace));
    }

    @Test
    void aMergeOfAnOpenRunWarnsOfLaterCommits() throws IOException {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: m
                workspace: repository
                isolation: {git: worktree}
                agents: {dev: {command: "echo more >> list.txt", timeout: 1m}}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 2, pauseEvery: 1}}]
                """);
        assertThat(terminal.type("run", manifest.toString(), "--run-id", "open").exitCode())
                .isEqualTo(4);

        Terminal.CommandOutput merged = terminal.type("merge", "open");

        assertThat(merged.exitCode()).as(merged.err()).isZero();
        assertThat(merged.err()).contains("run open has not ended: its later commits are not part of this merge");
        assertThat(repository.folder().resolve("list.txt")).hasContent("first\nmore");
    }

    @Test
    void aMergeOfARunWithoutAWorktreeIsRefusedInOneMessage() throws IOException {
        Path manifest = Files.writeString(folder.resolve("m.yaml"), """
                name: m
                agents: {dev: {command: "true", timeout: 1m}}
                phases: [{name: build, loop: {steps: [dev], maxIterations: 2, pauseEvery: 1}}]
                """);
        assertThat(terminal.type("run", manifest.toString(), "--run-id", "open").exitCode())
                .isEqualTo(4);

        Terminal.CommandOutput refused = terminal.type("merge", "open");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err().lines()).singleElement().asString().contains("run open has no worktree");
    }

    @Test
    void validateSaysWithWhichCommandsAFolderBecomesARepository() throws IOException {
        Path plain = Files.createDirectory(folder.toRealPath().resolve("plain"));

        Terminal.CommandOutput result =
                terminal.type("validate", oneTask("plain").toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("m.yaml:3:18: isolation.git: " + plain + " is not in a git repository")
                .contains("git init " + plain + " && git -C " + plain + " add --all && git -C " + plain + " commit");
        assertThat(terminal.type("run", folder.resolve("m.yaml").toString()).err())
                .contains("m.yaml:3:18: isolation.git", "nothing was started");
        repository.git("init", "--quiet", plain.toString());
        assertThat(terminal.type("validate", folder.resolve("m.yaml").toString())
                        .err())
                .contains("isolation.git: the repository " + plain + " has no commit");
    }

    @Test
    void aRunBeginsWithTheWarningThatChangesAreNotCommitted() throws IOException {
        Files.writeString(repository.folder().resolve("list.txt"), "changed\n");
        String manifest = oneTask("repository").toString();

        Terminal.CommandOutput checked = terminal.type("validate", manifest, "--json");
        Terminal.CommandOutput result = terminal.type("run", manifest);

        assertThat(checked.json().at("/warnings/0/path").asText()).isEqualTo("isolation.git");
        assertThat(checked.json().at("/warnings/0/line").asInt()).isEqualTo(3);
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.err()).contains("uncommitted changes (list.txt): the run begins without them");
        assertThat(repository.folder().resolve("list.txt")).hasContent("changed");
    }
}
