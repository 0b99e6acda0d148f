package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What belongs to a cluster, to the Model Context Protocol or to OpenTelemetry, is loaded only where it is used. */
@Execution(ExecutionMode.CONCURRENT)
class LoadedClassesIT {
    private static final Pattern OF_A_CLUSTER = Pattern.compile(
            "\\] (io\\.vertx\\.(pgclient|sqlclient|spi\\.cluster)|com\\.(ongres|hazelcast)|dev\\.loopkeeper\\.(cluster|store\\.postgres)|io\\.modelcontextprotocol|io\\.opentelemetry|dev\\.loopkeeper\\.opentelemetry|reactor)\\.");

    @TempDir
    private Path folder;

    /** The last word, after the options of the start script. Whatever the program starts writes a file of its own. */
    private Map<String, String> logging() {
        return Map.of("_JAVA_OPTIONS", "-Xlog:class+load:file=" + folder.resolve("loaded-%p.txt"));
    }

    private List<String> ofACluster(Program program) throws IOException {
        return loaded(program).stream().filter(OF_A_CLUSTER.asPredicate()).toList();
    }

    private List<String> loaded(Program program) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("loaded-" + program.pid() + ".txt"));
        assertThat(lines).anyMatch(line -> line.contains(" dev.loopkeeper.cli.Main "));
        return lines;
    }

    private Path manifest() throws IOException {
        return Files.writeString(
                folder.resolve("m.yaml"),
                "name: m\nagents: {dev: {command: echo hi}}\nphases: [{name: p, task: dev}]\n");
    }

    @Test
    void aServerLoadsNothingOfACluster() throws Exception {
        Path data = folder.resolve("data");
        try (Program server = Program.start(folder, logging(), "serve", "--port", "0", "--data", data.toString())) {
            assertThat(Api.of(server).get("/health/ready").path("status").asText())
                    .isEqualTo("ready");
            assertThat(Program.run(folder, "submit", manifest().toString(), "--run-id", "r", "--data", data.toString())
                            .exitCode())
                    .isZero();
            assertThat(Program.run(folder, "wait", "r", "--data", data.toString())
                            .exitCode())
                    .isZero();
            assertThat(Program.run(folder, "nodes", "--data", data.toString()).exitCode())
                    .isZero();
            server.terminate();
            assertThat(server.join().exitCode()).isEqualTo(143);
            assertThat(ofACluster(server)).isEmpty();
        }
    }

    @Test
    void clientCommandsStartNoEventLoopNoLogAndNoScreen() throws Exception {
        Path data = folder.resolve("data");
        try (Program server = Program.start(folder, Map.of(), "serve", "--port", "0", "--data", data.toString())) {
            assertThat(Api.of(server).get("/health/ready").path("status").asText())
                    .isEqualTo("ready");
            assertLoadsLittle("runs", "--data", data.toString());
            assertLoadsLittle("submit", manifest().toString(), "--run-id", "r", "--data", data.toString());
            assertLoadsLittle("wait", "r", "--data", data.toString());
            assertLoadsLittle("logs", "r", "--data", data.toString());
        }
    }

    @Test
    void theHelpAndTheVersionLoadNoLogAndTheVersionNoCommand() throws Exception {
        assertLoadsLittle("help");
        try (Program version = Program.start(folder, logging(), "--version")) {
            assertThat(version.join().exitCode()).isZero();
            assertThat(loaded(version))
                    .noneMatch(line ->
                            line.contains(" ch.qos.logback.classic.") || line.contains(" dev.loopkeeper.cli.command."));
        }
    }

    private void assertLoadsLittle(String... command) throws Exception {
        try (Program client = Program.start(folder, logging(), command)) {
            assertThat(client.join().exitCode()).isZero();
            assertThat(loaded(client))
                    .noneMatch(line -> line.contains(" io.netty.channel.")
                            || line.contains(" ch.qos.logback.classic.")
                            || line.contains(" org.jline."));
        }
    }

    @Test
    void aRunInTheForegroundLoadsNothingOfACluster() throws Exception {
        Path data = folder.resolve("data");
        try (Program run = Program.start(folder, logging(), "run", manifest().toString(), "--data", data.toString())) {
            assertThat(run.join().exitCode()).isZero();
            assertThat(ofACluster(run)).isEmpty();
        }
    }

    @Test
    void aNodeLoadsTheClientOfItsDatabase() throws Exception {
        String nowhere = "postgresql://loopkeeper@127.0.0.1:1/loopkeeper";
        String data = folder.resolve("data").toString();
        try (Program node = Program.start(
                folder, logging(), "serve", "--port", "0", "--data", data, "--node", "n1", "--store", nowhere)) {
            assertThat(node.join().exitCode()).isEqualTo(2);
            assertThat(ofACluster(node))
                    .anyMatch(line -> line.contains(" io.vertx.pgclient."))
                    .noneMatch(line -> line.contains(" com.hazelcast.") || line.contains(".HazelcastBus "));
        }
    }
}
