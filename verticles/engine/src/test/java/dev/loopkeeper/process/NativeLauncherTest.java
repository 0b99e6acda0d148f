package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs in the jar and their source. */
class NativeLauncherTest {
    private static final Path SOURCES = Path.of("src/main/c");
    private static final int LARGEST = 30_000;

    /** Without a compiler: run {@code src/main/c/build.sh} when this fails. */
    @ParameterizedTest
    @ValueSource(strings = {"x86_64", "aarch64"})
    void isBuiltFromTheSourceBesideIt(String architecture) throws IOException {
        String program =
                new String(ProgramFile.content(NativeLauncher.resource(architecture)), StandardCharsets.ISO_8859_1);

        assertThat(program).contains(Sha256.hex(Files.readAllBytes(SOURCES.resolve("launcher.c"))));
        assertThat(program.length()).isLessThan(LARGEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x86_64", "aarch64"})
    void isBuiltByteForByteFromItsSource(String architecture, @TempDir Path folder) throws Exception {
        assumeCompiler("x86_64-linux-gnu-gcc");
        assumeCompiler("aarch64-linux-gnu-gcc");
        Process build = new ProcessBuilder(SOURCES.resolve("build.sh").toString(), folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.INHERIT)
                .start();
        assertThat(build.waitFor()).isZero();

        String resource = NativeLauncher.resource(architecture);
        assertThat(folder.resolve(resource)).hasBinaryContent(ProgramFile.content(resource));
    }

    private static void assumeCompiler(String name) throws InterruptedException {
        try {
            Process version = new ProcessBuilder(name, "--version").start();
            String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assumeTrue(version.waitFor() == 0 && text.contains("(Debian 12.2.0-14"), "another compiler");
        } catch (IOException none) {
            assumeTrue(false, "no " + name);
        }
    }

    @Test
    void isChosenWhereItRuns(@TempDir Path data) {
        assumeTrue(NativeLauncher.architecture().isPresent(), "no native launcher for this machine");

        LauncherChoice choice = LauncherChoice.of(data);

        assertThat(choice.program()).isPresent();
        assertThat(choice.found()).startsWith("native launcher for ");
    }
}
