package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.StepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real JVM that supervises and is halted for a while, as by a suspend. */
class HaltedRuntimeTest extends SupervisorHarness {
    private Process runtime;
    private Path output;

    @AfterEach
    void endRuntime() throws InterruptedException {
        runtime.destroyForcibly().waitFor();
    }

    @Test
    void anExitThatWasInTimeCountsHoweverLateItIsSeen() throws Exception {
        Duration limit = Duration.ofSeconds(5);
        StepSpec step = step().shell("while [ ! -e leave ]; do sleep 0.1; done")
                .timeout(limit)
                .build();
        Instant begun = launch(step);

        signal("STOP");
        Files.createFile(workspace.resolve("leave"));
        await().atMost(SOON).until(() -> Files.exists(stepFolder(step).resolve("exit.json")));
        await().atMost(SOON).until(() -> Instant.now().isAfter(begun.plus(limit)));
        signal("CONT");

        awaitLine(">exited EXITED");
    }

    @Test
    void aHaltOfTheRuntimeUsesUpNothingOfAnAgentsTime() throws Exception {
        StepSpec step = step().shell("sleep 4").timeout(Duration.ofMillis(3500)).build();
        Instant begun = launch(step);

        signal("STOP");
        await().atMost(SOON).until(() -> Instant.now().isAfter(begun.plusMillis(3600)));
        signal("CONT");

        awaitLine(">exited EXITED");
    }

    private Path stepFolder(StepSpec step) {
        return data.resolve("runs").resolve(step.runId()).resolve("steps").resolve(step.stepId());
    }

    private Instant launch(StepSpec step) throws IOException {
        Path spec = Files.write(folder.resolve("step.json"), Json.MAPPER.writeValueAsBytes(step));
        output = folder.resolve("told.txt");
        runtime = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StarvedRuntime.class.getName(),
                        data.toString(),
                        spec.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        awaitLine(">pid ");
        return Instant.now();
    }

    private void signal(String name) throws Exception {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(runtime.pid()))
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    private void awaitLine(String line) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Files.readAllLines(output)).anyMatch(text -> text.startsWith(line)));
    }
}
