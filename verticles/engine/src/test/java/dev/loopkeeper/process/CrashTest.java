package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.process.CrashedRuntime;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import java.io.BufferedReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Kills a real JVM that supervises, by {@code kill -9}. */
class CrashTest extends SupervisorHarness {
    @Test
    void theNextRuntimeAdoptsTheAgentOfAKilledOneAndLearnsItsExitCode() throws Exception {
        StepSpec step = step().shell("echo ran >>ran; while [ ! -e leave ]; do sleep 0.1; done; exit 42")
                .build();
        long pid = launchInAKilledRuntime(step);

        Supervising next = supervisor();
        StepLaunched adopted = next.recover(step);
        Files.createFile(workspace.resolve("leave"));

        assertThat(adopted.adopted()).isTrue();
        assertThat(adopted.pid()).hasValue(pid);
        assertThat(next.exitOf(step).process().exitCode()).hasValue(42);
        assertThat(written("ran")).isEqualTo("ran");
    }

    @Test
    void reportsTheExitCodeOfAnAgentThatEndedWithoutARuntime() throws Exception {
        StepSpec step = step().shell("while [ ! -e leave ]; do sleep 0.1; done; kill -KILL $$")
                .build();
        launchInAKilledRuntime(step);
        Files.createFile(workspace.resolve("leave"));
        await().atMost(SOON).until(() -> folderOf(step).exit().isPresent());

        Supervising next = supervisor();
        next.recover(step);

        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(next.exitOf(step).process().exitCode()).hasValue(137);
    }

    @Test
    void anAgentThatIsToDieWithItsRuntimeDoesAndTakesItsTreeAlong() throws Exception {
        StepSpec step = step().dyingWithTheRuntime()
                .stopping("TERM", Duration.ofSeconds(2))
                .shell("(setsid nohup sh -c 'trap \"\" TERM; echo up >up; while :; do sleep 1; done' &) ;"
                        + " while :; do sleep 1; done")
                .build();
        long pid = launchInAKilledRuntime(step);

        await().atMost(SOON).until(() -> marked().isEmpty());
        Supervising next = supervisor();
        next.recover(step);

        assertThat(alive(pid)).isFalse();
        assertThat(next.exitOf(step).process().cause()).isEqualTo(ExitCause.RUNTIME_DIED);
        assertThat(next.exitOf(step).process().exitCode()).hasValue(143);
        assertThat(next.exitOf(step).process().diagnostic().orElseThrow()).contains("runtime died");
    }

    @CanIgnoreReturnValue
    private long launchInAKilledRuntime(StepSpec step) throws Exception {
        Path spec = Files.write(folder.resolve("step.json"), Json.MAPPER.writeValueAsBytes(step));
        Process runtime = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashedRuntime.class.getName(),
                        data.toString(),
                        spec.toString())
                .redirectError(Redirect.DISCARD)
                .start();
        try (BufferedReader reported = runtime.inputReader(StandardCharsets.UTF_8)) {
            long pid = Long.parseLong(pidLine(reported));
            assertThat(alive(pid)).isTrue();
            return pid;
        } finally {
            runtime.destroyForcibly().waitFor();
        }
    }

    /** Logging goes to stdout too. */
    private static String pidLine(BufferedReader reported) throws Exception {
        String line = reported.readLine();
        while (line != null && !line.matches("[0-9]+")) {
            line = reported.readLine();
        }
        return line == null ? "" : line;
    }
}
