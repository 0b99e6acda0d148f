package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.Terminal;
import dev.loopkeeper.embed.SmallRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signal leaves no half of a merge in the person's checkout: it used to, without a word. */
class MergeSignalIT {
    private static final String MANIFEST = """
            name: m
            workspace: repository
            isolation: {git: worktree}
            agents: {dev: {command: "echo more >> list.txt", timeout: 1m}}
            phases: [{name: build, task: dev}]
            """;

    @TempDir
    private Path folder;

    @Test
    void aSignalWaitsForTheMergeAndItsOutput() throws Exception {
        SmallRepository repository = SmallRepository.in(folder.resolve("repository"));
        String data = folder.resolve("data").toString();
        Path manifest = Files.writeString(folder.resolve("m.yaml"), MANIFEST);
        Terminal.CommandOutput run = new Terminal(Path.of(data)).type("run", manifest.toString(), "--run-id", "r1");
        assertThat(run.exitCode()).as(run.err()).isZero();
        Path begun = folder.resolve("begun");
        Path release = folder.resolve("release");
        repository.git("config", "filter.slow.clean", "cat");
        repository.git(
                "config",
                "filter.slow.smudge",
                ": >" + begun + "; while [ ! -e " + release + " ]; do sleep 0.1; done; cat");
        Files.writeString(repository.folder().resolve(".git/info/attributes"), "*.txt filter=slow\n");
        try (Program program = Program.start(folder, Map.of(), "merge", "r1", "--data", data)) {
            Awaitility.await().until(() -> Files.exists(begun));
            program.terminate();
            Awaitility.await().until(() -> program.output().contains("the merge is completed first"));
            Files.createFile(release);

            Program.Result result = program.join();

            assertThat(result.exitCode()).isEqualTo(143);
            assertThat(result.stdout()).contains("merged into main: 1 file, +1 -0");
        }
        assertThat(repository.folder().resolve("list.txt")).hasContent("first\nmore");
        assertThat(repository.git("status", "--porcelain")).isEmpty();
        assertThat(repository.git("rev-parse", "main")).isEqualTo(repository.git("rev-parse", "loopkeeper/r1"));
    }
}
