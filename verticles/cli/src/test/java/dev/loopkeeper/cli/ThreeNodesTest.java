package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script that tries a cluster out on one machine says where something is missing; it then makes nothing. */
class ThreeNodesTest {
    private static final Path SCRIPT =
            Path.of("../../conf/cluster/three-nodes.sh").toAbsolutePath().normalize();
    private static final int REFUSED = 2;

    @TempDir
    Path folder;

    private Path kept;
    private Path tools;

    @BeforeEach
    void prepare() throws IOException {
        kept = folder.resolve("kept");
        tools = Files.createDirectory(folder.resolve("tools"));
    }

    private record ProgramOutput(int exitCode, String text) {}

    private ProgramOutput type(Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("/bin/sh", SCRIPT.toString()));
        all.addAll(List.of(words));
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LOOPKEEPER") || name.startsWith("PG_"));
        builder.environment().put("LOOPKEEPER_TRY", kept.toString());
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new ProgramOutput(exitCode, Files.readString(out));
    }

    private void assertRefused(ProgramOutput result, String... why) {
        assertThat(result.exitCode()).as(result.text()).isEqualTo(REFUSED);
        assertThat(result.text()).contains(why);
        assertThat(kept).doesNotExist();
    }

    private Map<String, String> withTools(String... names) throws IOException {
        for (String name : names) {
            Files.createSymbolicLink(tools.resolve(name), Path.of("/bin/true"));
        }
        return Map.of("PG_BIN", tools.toString());
    }

    @Test
    void aDatabaseThatIsNotInstalledIsReportedWithTheRemedy() throws Exception {
        assertRefused(
                type(Map.of("PG_BIN", "/nowhere"), "up"),
                "initdb is not in /nowhere; install PostgreSQL 14 or newer, or set PG_BIN");
        assertRefused(type(withTools("initdb", "pg_ctl"), "up"), "psql is not in " + tools);
    }

    @Test
    void aProgramThatIsNotThereIsReportedWithTheRemedy() throws Exception {
        Map<String, String> installed = withTools("initdb", "pg_ctl", "psql", "createdb", "createuser");
        Map<String, String> named = Map.of("PG_BIN", tools.toString(), "LOOPKEEPER", "/nowhere/loopkeeper");
        Map<String, String> broken = Map.of("PG_BIN", tools.toString(), "LOOPKEEPER", "/bin/false");

        assertThat(installed).isNotEmpty();
        assertRefused(type(named, "up"), "/nowhere/loopkeeper is not here", "LOOPKEEPER=./loopkeeper");
        assertRefused(type(broken, "up"), "/bin/false does not start");
    }

    @Test
    void whereNothingRunsNothingIsEndedOrMade() throws Exception {
        for (int times = 0; times < 2; times++) {
            ProgramOutput down = type(Map.of("PG_BIN", "/nowhere"), "down");
            assertThat(down.exitCode()).as(down.text()).isZero();
            assertThat(down.text()).isEmpty();
        }
        assertRefused(type(Map.of(), "kill", "1"), "node n1 does not run");
        assertRefused(type(Map.of(), "stop", "3"), "node n3 does not run");
        assertRefused(type(Map.of(), "kill", "4"), "name a node: 1, 2 or 3");
        assertRefused(type(Map.of(), "status"), "no node answers; begin with: " + SCRIPT + " up");
        assertRefused(type(Map.of(), "up!"), "three-nodes.sh down");
        assertRefused(type(Map.of()), "three-nodes.sh up");
    }

    /** After a restart of the machine the number of a node is another's. */
    @Test
    void aProcessThatIsNoNodeIsLeftAlone() throws Exception {
        Process other = new ProcessBuilder("sleep", "300").start();
        try {
            Files.createDirectory(kept);
            Files.writeString(kept.resolve("n1.pid"), other.pid() + "\n");

            assertThat(type(Map.of(), "kill", "1").text()).contains("node n1 does not run");
            assertThat(type(Map.of(), "down").exitCode()).isZero();
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }
}
