package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.gateway.Gateway;
import dev.loopkeeper.gateway.access.GatewayOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients of the HTTP guide do what it says of them. */
class HttpGuideTest {
    @TempDir
    Path folder;

    private Path program(String language, String name) throws IOException {
        Matcher code = Pattern.compile("(?ms)^```" + language + "\n(.*?)^```")
                .matcher(Files.readString(Path.of("../../docs/http.md")));
        assertThat(code.find()).isTrue();
        return Files.writeString(folder.resolve(name), code.group(1));
    }

    @Test
    void theClientInJavaPrintsPausesAndEnds() throws IOException, InterruptedException {
        Path program = program("java", "Follow.java");
        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        try (Keeper keeper = serving()) {
            runsAsDocumented(keeper, List.of(java, "-XX:TieredStopAtLevel=1", program.toString(), keeper.url()));
        }
    }

    @Test
    void theClientInPythonPrintsPausesAndEnds() throws IOException, InterruptedException {
        Path python = Path.of("/usr/bin/python3");
        Assumptions.assumeTrue(Files.isExecutable(python), "there is no Python");
        Path program = program("python", "follow.py");
        try (Keeper keeper = serving()) {
            URI url = URI.create(keeper.url());
            runsAsDocumented(keeper, List.of(python.toString(), program.toString(), url.getHost(), "" + url.getPort()));
        }
    }

    private Keeper serving() throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options = LoopkeeperOptions.of(data).with(new Gateway(GatewayOptions.loopback(0, data)));
        return new Keeper(data, folder.resolve("workspace"), options);
    }

    private void runsAsDocumented(Keeper keeper, List<String> command) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process client = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            // Only what happens while it listens is reported, so runs are made until one is.
            keeper.script("dev.sh", "exit 0");
            Awaitility.await().until(() -> {
                String runId = keeper.start("""
                        name: reports
                        agents: {dev: {command: ./dev.sh}}
                        phases: [{name: build, task: dev}]
                        """);
                assertThat(keeper.until(runId, "completed", "failed")
                                .path("status")
                                .asText())
                        .isEqualTo("completed");
                return Files.readString(said).contains("run.ended");
            });
            assertThat(Files.readString(said)).containsPattern("(?m)^reports-\\S+ run\\.ended$");
        } finally {
            client.destroyForcibly();
            assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
