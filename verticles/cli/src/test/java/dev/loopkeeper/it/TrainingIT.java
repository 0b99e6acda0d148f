package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher has each new jar do once. */
class TrainingIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"all", "server", "commands"})
    void everyCommandOfTheTrainingSucceeds(String learnt) throws IOException, InterruptedException {
        Process training = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("loopkeeper.jar"),
                        "dev.loopkeeper.cli.Training",
                        folder.toString(),
                        learnt)
                .redirectOutput(folder.resolve("out.txt").toFile())
                .start();
        String said = new String(training.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(training.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(training.exitValue()).as(said).isZero();
    }
}
