package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code loopkeeper signal} in a process of its own. */
class SignalIT {
    @TempDir
    private Path folder;

    private Path file;
    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void aStep() {
        file = folder.resolve("workspace/.loopkeeper/dev.json");
        environment.putAll(Map.of("LOOPKEEPER_NONCE", "n1", "LOOPKEEPER_SIGNAL_FILE", file.toString()));
    }

    /** By a shell whose command ends with that of the program. */
    private Program start(String before, String... words) throws IOException {
        return Program.start(List.of("/bin/sh", "-c", before), folder, environment, words);
    }

    @Test
    void itReadsStdinAndLoadsNeitherVertxNorTheStore() throws Exception {
        Files.writeString(folder.resolve("signal.json"), "{\"readiness\": \"READY\"}\n");
        environment.put("_JAVA_OPTIONS", "-Xlog:class+load:file=" + folder.resolve("loaded.txt"));

        try (Program program = start("exec \"$0\" \"$@\" <signal.json", "signal", "-")) {
            assertThat(program.join().exitCode()).as(program.output()).isZero();
        }

        assertThat(file).hasContent("{\"readiness\":\"READY\",\"nonce\":\"n1\"}\n");
        assertThat(Files.readAllLines(folder.resolve("loaded.txt")))
                .anyMatch(line -> line.contains(" dev.loopkeeper.cli.command.SignalCommand "))
                .noneMatch(line -> line.contains(" io.vertx.")
                        || line.contains(" io.netty.")
                        || line.contains(" org.sqlite.")
                        || line.contains(" dev.loopkeeper.store.")
                        || line.contains(" ch.qos.logback.classic."));
    }

    @Test
    void aFullDiskLeavesNoPartOfASignal() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "before");

        try (Program program = start(
                "ulimit -f 128; exec \"$0\" \"$@\"",
                "signal",
                "--status",
                "partial",
                "--concern",
                "x".repeat(100_000))) {
            Program.Result result = program.join();
            assertThat(result.stderr()).contains("signal file " + file + " cannot be written: File too large");
            assertThat(result.exitCode()).isEqualTo(1);
        }

        assertThat(file).hasContent("before");
        assertThat(file.getParent()).isDirectoryNotContaining(other -> !other.equals(file));
    }

    @Test
    void bytesThatAreNotUtf8AreReplaced() throws Exception {
        environment.put("LC_ALL", "C.UTF-8");
        try (Program program = start(
                "exec \"$0\" \"$@\" \"$(printf 'a\\377b\\303')\"", "signal", "--status", "partial", "--concern")) {
            assertThat(program.join().exitCode()).as(program.output()).isZero();
        }
        assertThat(Json.MAPPER.readTree(file.toFile()).path("keyConcern").asText())
                .isEqualTo("a\ufffdb\ufffd");
    }
}
