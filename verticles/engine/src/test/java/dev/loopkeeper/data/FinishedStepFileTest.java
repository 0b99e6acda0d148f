package dev.loopkeeper.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FinishedStepFileTest {
    private static final Map<String, String> SMALL = small();

    @TempDir
    private Path data;

    private static Map<String, String> small() {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("request.json", "{\"stepId\":\"step.0\",\"output\":\"claude-code\"}");
        files.put("claim.json", "{\"pid\":7,\"startTicks\":1,\"bootId\":\"b\"}\n");
        files.put("launch.json", "{\"pid\":8,\"startTicks\":2,\"bootId\":\"b\"}\n");
        files.put("exit.json", "{\"exitCode\":0}\n");
        files.put("leftover-signal.json", "{\"keyConcern\": \"gr\u00fc\u00dfe");
        files.put("prompt.md", "Fix it.\n==> exit.json, 3 bytes <==\nno\n");
        return files;
    }

    private StepFiles step(String name) throws IOException {
        StepFiles step = StepFiles.of(data, "r", name);
        step.make();
        for (Map.Entry<String, String> file : SMALL.entrySet()) {
            write(step, file.getKey(), file.getValue());
        }
        write(step, "context.json", "{}");
        write(step, "signal.json", "{\"verdict\":\"approved\"}");
        write(step, "stdout.log", "hello\n");
        write(step, "stderr.log", "");
        return step;
    }

    private static void write(StepFiles step, String name, String content) throws IOException {
        Files.writeString(step.path().resolve(name), content);
    }

    private static Stream<String> names(StepFiles step) throws IOException {
        try (Stream<Path> files = Files.list(step.path())) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    /** Each small file is there or in the summary, byte for byte. */
    private static void assertNothingIsLost(StepFiles step) {
        SMALL.forEach((name, content) -> {
            try {
                Path file = step.path().resolve(name);
                byte[] found = Files.exists(file)
                        ? Files.readAllBytes(file)
                        : step.summarised(name).orElseThrow(() -> new AssertionError(file + " is lost"));
                assertThat(new String(found, StandardCharsets.UTF_8)).as(name).isEqualTo(content);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
        assertThat(step.path().resolve("signal.json")).hasContent("{\"verdict\":\"approved\"}");
        assertThat(step.path().resolve("stdout.log")).hasContent("hello");
    }

    @Test
    void fourFilesAreLeftOfAStepThatIsOver() throws IOException {
        StepFiles step = step("step.0");
        step.summarise(true);

        assertThat(names(step)).containsExactlyInAnyOrder("step.txt", "context.json", "signal.json", "stdout.log");
        assertNothingIsLost(step);
        assertThat(step.output()).isEqualTo(OutputDialect.CLAUDE_CODE);
        assertThat(step.claimed()).isTrue();
        assertThat(step.path().resolve("step.txt"))
                .content()
                .contains("==> exit.json, 15 bytes <==\n{\"exitCode\":0}\n");
    }

    @Test
    void aCrashAtAnyPointLosesNothingAndTheNextTryCompletesIt() throws IOException {
        for (int removed = 0; removed <= SMALL.size(); removed++) {
            StepFiles step = step("step." + removed);
            step.summarise(true);
            for (String name : SMALL.keySet().stream().skip(removed).toList()) {
                write(step, name, SMALL.get(name));
            }
            write(step, ".step.txt.new", "==> exit.json, 15 by");

            assertNothingIsLost(step);
            step.summarise(true);
            assertThat(names(step)).containsExactlyInAnyOrder("step.txt", "context.json", "signal.json", "stdout.log");
            assertNothingIsLost(step);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 40})
    void aKilledProcessLosesNothing(int last) throws Exception {
        int steps = 200;
        for (int step = 0; step < steps; step++) {
            step("step." + step);
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SummarisingProcess.class.getName(),
                        data.toString(),
                        Integer.toString(steps))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader done = process.inputReader()) {
            String line = done.readLine();
            while (line != null && Integer.parseInt(line) < last) {
                line = done.readLine();
            }
            assertThat(line).isEqualTo(Integer.toString(last));
        } finally {
            process.destroyForcibly().waitFor();
        }
        IntStream.range(0, steps).forEach(step -> assertNothingIsLost(StepFiles.of(data, "r", "step." + step)));
        List<String> pending = StepFiles.pending(data, "r");
        assertThat(pending).hasSizeLessThan(steps - last);
        for (String step : pending) {
            StepFiles.of(data, "r", step).summarise(true);
        }
        for (int step = 0; step < steps; step++) {
            assertThat(names(StepFiles.of(data, "r", "step." + step)))
                    .containsExactlyInAnyOrder("step.txt", "context.json", "signal.json", "stdout.log");
        }
    }

    /** One of an earlier runtime would find no claim, and launch the agent again. */
    @Test
    void theClaimStaysWhereAnotherLauncherMayCome() throws IOException {
        StepFiles adopted = step("adopted");
        adopted.summarise(false);
        assertThat(names(adopted)).contains("claim.json");

        StepFiles unrecorded = step("unrecorded");
        Files.delete(unrecorded.path().resolve("exit.json"));
        unrecorded.summarise(true);
        assertThat(names(unrecorded)).contains("claim.json");
    }

    @Test
    void ofAStepThatWasNeverLaunchedOnlyASignalThatLayInTheWayStays() throws IOException {
        StepFiles blank = StepFiles.of(data, "r", "blank");
        StepFiles leftover = StepFiles.of(data, "r", "leftover");
        for (StepFiles step : List.of(blank, leftover)) {
            step.make();
            write(step, "signal-prepared-at", "2026-11-20T15:12:33Z");
        }
        write(leftover, "leftover-signal.json", "{}");
        assertThat(StepFiles.pending(data, "r")).containsExactlyInAnyOrder("blank", "leftover");

        blank.summarise(false);
        leftover.summarise(false);

        assertThat(blank.path()).doesNotExist();
        assertThat(names(leftover)).containsExactly("leftover-signal.json");
        assertThat(StepFiles.pending(data, "r")).isEmpty();
    }

    @Test
    void notesStayWhileProcessesAreLeft() throws IOException {
        StepFiles step = step("step.0");
        write(step, "survivors.json", "{\"survivors\":[]}");
        step.summarise(true);
        assertThat(names(step)).contains("request.json", "exit.json").doesNotContain("step.txt");
    }

    @Test
    void largeFilesAndThoseOfTheAgentStay() throws IOException {
        StepFiles step = step("step.0");
        write(step, "prompt.md", "x".repeat(20_000));
        write(step, "notes-of-the-agent.txt", "mine");
        step.summarise(true);
        assertThat(step.path().resolve("prompt.md")).hasSize(20_000);
        assertThat(step.path().resolve("notes-of-the-agent.txt")).hasContent("mine");
        assertThat(step.summarised("prompt.md")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"==> exit.json, 999999 bytes <==\nx", "==> ../../lost, 1 bytes <==\nx\n", "{}", "==> "})
    void whatAnAgentPutInItsPlaceIsReplaced(String made) throws IOException {
        StepFiles step = step("step.0");
        write(step, "step.txt", made);
        assertThat(step.summarised("exit.json")).isEmpty();
        step.summarise(true);
        assertNothingIsLost(step);
    }

    @Test
    void aLinkInItsPlaceIsReplacedAndNotFollowed() throws IOException {
        StepFiles step = step("step.0");
        Path elsewhere = Files.writeString(data.resolve("elsewhere"), "==> exit.json, 1 bytes <==\nx\n");
        Files.createSymbolicLink(step.path().resolve("step.txt"), elsewhere);
        assertThat(step.summarised("exit.json")).isEmpty();
        step.summarise(true);
        assertThat(elsewhere).hasContent("==> exit.json, 1 bytes <==\nx\n");
        assertNothingIsLost(step);
    }
}
