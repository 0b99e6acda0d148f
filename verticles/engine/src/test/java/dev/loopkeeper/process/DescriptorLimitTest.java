package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.StepSpec;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A real JVM that supervises and has no file descriptor left for a while. */
@Execution(ExecutionMode.CONCURRENT)
class DescriptorLimitTest extends SupervisorHarness {
    private static final int DESCRIPTORS = 256;
    /** Many times what the runtime in these tests waits for a launcher to record an end, and some looks of its own. */
    private static final Duration A_WHILE = Duration.ofSeconds(4);

    private Process runtime;
    private Path output;

    @AfterEach
    void endRuntime() throws InterruptedException {
        runtime.destroyForcibly().waitFor();
    }

    /** It was treated as gone after three seconds, and ended. */
    @Test
    void aHealthyAgentOutlivesARuntimeThatCannotOpenAFile() throws Exception {
        StepSpec step = step().shell(
                        "mkdir work; while [ ! -e leave ]; do echo busy >work/file; sleep 0.02; done; exit 42")
                .idleTimeout(Duration.ofSeconds(2))
                .build();
        long pid = launch(step);

        say("starve");
        awaitLine(">starved");
        await().during(A_WHILE).atMost(SOON).until(() -> alive(pid));
        say("feed");
        awaitLine(">fed");
        await().during(Duration.ofSeconds(1)).atMost(SOON).until(() -> alive(pid));

        assertThat(lines()).noneMatch(line -> line.startsWith(">exited"));
        Files.createFile(workspace.resolve("leave"));
        awaitLine(">exited EXITED");
    }

    /** It failed at once and for good, and the run said that it was stopped. */
    @Test
    void aStopThatCannotLookIsDoneOnceItCanAndNotBefore() throws Exception {
        StepSpec step =
                step().shell("trap '' TERM; while :; do sleep 0.02; done").build();
        long pid = launch(step);

        say("starve");
        awaitLine(">starved");
        say("stop");
        awaitLine(">asked");
        await().during(A_WHILE).atMost(SOON).untilAsserted(() -> {
            assertThat(lines()).noneMatch(line -> line.startsWith(">stopped") || line.startsWith(">failed"));
            assertThat(lines()).noneMatch(line -> line.startsWith(">exited"));
        });
        say("feed");

        awaitLine(">stopped gone");
        awaitLine(">exited STOPPED");
        assertThat(alive(pid)).isFalse();
        // Its launcher ends a moment after it has recorded the end.
        await().atMost(SOON).until(() -> marked().isEmpty());
    }

    private long launch(StepSpec step) throws IOException {
        Path spec = Files.write(folder.resolve("step.json"), Json.MAPPER.writeValueAsBytes(step));
        output = folder.resolve("told.txt");
        runtime = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + DESCRIPTORS + "; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        packed(System.getProperty("java.class.path")),
                        StarvedRuntime.class.getName(),
                        data.toString(),
                        spec.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return Long.parseLong(awaitLine(">pid ").substring(">pid ".length()));
    }

    /** Folders as archives: an archive stays open, while each class of a folder needs a descriptor of its own. */
    private String packed(String classPath) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            entries.add(
                    Files.isDirectory(Path.of(entry)) ? packed(Path.of(entry)).toString() : entry);
        }
        return String.join(File.pathSeparator, entries);
    }

    private Path packed(Path classes) throws IOException {
        Path archive = Files.createTempFile(folder, "classes", ".jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(archive));
                Stream<Path> all = Files.walk(classes)) {
            jar.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
        return archive;
    }

    private void say(String command) throws IOException {
        Writer commands = runtime.outputWriter(StandardCharsets.UTF_8);
        commands.write(command + "\n");
        commands.flush();
    }

    @CanIgnoreReturnValue
    private String awaitLine(String beginning) {
        await().alias("hears " + beginning)
                .atMost(SOON)
                .until(() -> lines().stream().anyMatch(line -> line.startsWith(beginning)));
        return lines().stream()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    private List<String> lines() {
        try {
            return Files.readString(output).lines().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
