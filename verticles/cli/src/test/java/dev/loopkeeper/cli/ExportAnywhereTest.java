package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose steps lie on several nodes becomes one file, whichever node is asked. */
class ExportAnywhereTest {
    private static final String MANIFEST = """
            name: asks
            agents: {dev: {command: 'echo out $LOOPKEEPER_FEEDBACK; echo err >&2', signal: none.json, timeout: 1m}}
            phases: [{name: build, loop: {steps: [dev]}}]
            """;

    private static final String FIRST = "files/steps/build.1.dev.1/stdout.log";
    private static final String SECOND = "files/steps/build.1.dev.2/stdout.log";

    @TempDir
    Path folder;

    private ServedNodes nodes;
    private Path manifest;

    @BeforeEach
    void start() throws IOException {
        nodes = new ServedNodes(folder);
        manifest = Files.writeString(nodes.shared("work").resolve("m.yaml"), MANIFEST);
    }

    @AfterEach
    void end() throws IOException {
        nodes.close();
    }

    private Terminal.CommandOutput at(String name, String... words) {
        return new Terminal(folder.resolve(name)).type(words);
    }

    private void pauses(String name) {
        assertThat(at(name, "wait", "r", "--for", "paused", "--timeout", "1m").exitCode())
                .isEqualTo(4);
    }

    /** One step lies on n1, the other on n2. */
    private ServedNode moved() {
        ServedNode first = nodes.node("n1");
        assertThat(at("n1", "submit", manifest.toString(), "--run-id", "r").exitCode())
                .isZero();
        pauses("n1");
        ServedNode second = nodes.node("n2");
        first.close();
        Terminal.CommandOutput resumed = at("n2", "resume", "r", "retry_iteration", "--feedback", "again");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        pauses("n2");
        return second;
    }

    private Path file(String name) throws IOException {
        return Files.createDirectories(folder.resolve("files")).resolve(name);
    }

    private void assertWhole(Path bundle) throws IOException {
        Bundles made = new Bundles(bundle);
        assertThat(made.entries.get(FIRST)).isEqualTo("out\n");
        assertThat(made.entries.get(SECOND)).isEqualTo("out again\n");
        assertThat(made.manifest().path("status").asText()).isEqualTo("paused");
        assertThat(Files.getPosixFilePermissions(bundle)).hasSize(2);
    }

    private void assertNothingMade() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("files"))) {
            assertThat(all).isEmpty();
        }
    }

    @Test
    void anyNodeMakesTheSameBundleAndAnotherPlaceTakesItIn() throws IOException {
        ServedNode second = moved();
        Path refused = file("refused.zip");
        Terminal.CommandOutput missing = at("n2", "export", "r", refused.toString());
        assertThat(missing.exitCode()).as(missing.out() + missing.err()).isEqualTo(7);
        assertThat(missing.err()).contains("node n1", "is left").doesNotContain("Exception");
        assertThat(missing.err())
                .as("what to do")
                .contains("If its data folder is lost", "start a node of this name with a new one");
        assertNothingMade();

        ServedNode first = nodes.node("n1");
        assertThat(at("n1", "status").out())
                .as("of a run that another node has")
                .contains("runs    1 paused\n", "paused  1 missing_signals, the first for ")
                .doesNotContain("event store");
        Path byFolder = file("by-folder.zip");
        Path byServer = file("by-server.zip");
        assertThat(at("n1", "export", "-", byFolder.toString()).exitCode()).isZero();
        Terminal.CommandOutput result =
                at("elsewhere", "export", "r", byServer.toString(), "--json", "--server", second.url());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.json().path("runId").asText()).isEqualTo("r");
        assertThat(result.json().path("file").asText()).isEqualTo(byServer.toString());
        assertWhole(byFolder);
        assertWhole(byServer);
        assertThat(new Bundles(byServer).entries.get("events.jsonl"))
                .isEqualTo(new Bundles(byFolder).entries.get("events.jsonl"));

        Terminal.CommandOutput taken = at("lone", "import", byServer.toString());
        assertThat(taken.exitCode()).as(taken.err()).isZero();
        assertThat(at("lone", "logs", "r", "build.1.dev.1").out()).startsWith("out\n");
        assertThat(at("lone", "logs", "r", "build.1.dev.2").out()).startsWith("out again\n");
        assertThat(at("lone", "explain", "r", "--json").json().path("summary"))
                .isEqualTo(at("n1", "explain", "r", "--json").json().path("summary"));
        assertThat(at("lone", "show", "r", "--json").json().path("statistics"))
                .isEqualTo(at("n2", "show", "r", "--json").json().path("statistics"));
        first.close();
    }

    /** One that serves was said to be none. */
    @Test
    void aNodeThatServesKnowsWhichRunsThereAreNot() {
        assertThat(nodes.node("n1").url()).isNotEmpty();
        for (String subcommand : List.of("wait", "show")) {
            Terminal.CommandOutput result = at("n1", subcommand, "none");
            assertThat(result.exitCode()).isEqualTo(7);
            assertThat(result.err()).contains("there is no run none").doesNotContain("to a running node");
        }
    }

    /** A node that lost a disk reports an error, until a new folder has its place. */
    @Test
    void exportsWithoutFilesThatAreLostWithTheirFolder() throws IOException {
        assertThat(moved().url()).isNotEmpty();
        Files.move(folder.resolve("n1"), folder.resolve("lost"));
        ServedNode first = nodes.node("n1");

        Path bundle = file("rest.zip");
        Terminal.CommandOutput result = at("n2", "export", "r", bundle.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(new Bundles(bundle).entries).containsKey(SECOND).doesNotContainKey(FIRST);
        first.close();
    }

    @Test
    void aFolderOfANodeThatDoesNotServeSaysWhomToAsk() throws IOException {
        moved().close();
        Terminal.CommandOutput result = at("n2", "export", "r", file("r.zip").toString());
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err()).contains("database", "--server").doesNotContain("export does not");
        assertNothingMade();
    }

    @Test
    void aNamedServerAloneSendsItToo() throws IOException {
        String url = nodes.alone("alone").url();
        assertThat(at("alone", "submit", manifest.toString(), "--run-id", "r").exitCode())
                .isZero();
        pauses("alone");
        Path bundle = file("r.zip");
        Terminal.CommandOutput result = at("elsewhere", "export", "r", bundle.toString(), "--server", url);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(new Bundles(bundle).entries).containsKey(FIRST);

        byte[] before = Files.readAllBytes(bundle);
        Terminal.CommandOutput again = at("elsewhere", "export", "r", bundle.toString(), "--server", url);
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.err()).contains("exists");
        assertThat(bundle).hasBinaryContent(before);
        assertThat(at("elsewhere", "export", "unknown", "--server", url).exitCode())
                .isEqualTo(7);
        Files.delete(bundle);

        Path sleeper = Files.writeString(
                manifest.resolveSibling("s.yaml"),
                "name: s\nagents: {dev: {command: sleep 300}}\nphases: [{name: p, task: dev}]\n");
        assertThat(at("alone", "submit", sleeper.toString(), "--run-id", "open").exitCode())
                .isZero();
        Terminal.CommandOutput open = at("elsewhere", "export", "open", bundle.toString(), "--server", url);
        assertThat(open.exitCode()).isEqualTo(2);
        assertThat(open.err()).contains("pause or stop it first");
        assertNothingMade();
        assertThat(at("alone", "stop", "open", "--now").exitCode()).isZero();
    }
}
