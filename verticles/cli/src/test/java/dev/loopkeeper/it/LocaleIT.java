package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script under an environment as cron and systemd give it. */
class LocaleIT {
    @TempDir
    Path folder;

    private Path home;

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectory(folder.resolve("Müller ☃"));
        Files.copy(Path.of("../../loopkeeper"), home.resolve("loopkeeper"));
        Files.createSymbolicLink(home.resolve("loopkeeper.jar"), Path.of(System.getProperty("loopkeeper.jar")));
    }

    @Test
    void withoutALocaleFilesOfAnyNameAreUsedAndAgentsKeepTheirs() throws Exception {
        Files.writeString(home.resolve("größe.yaml"), """
                name: size
                agents:
                  one: {command: "echo \\"${LC_ALL-none} ${LANG-none} $PWD\\" > ergebnis-ä.txt"}
                phases: [{name: only, task: one}]
                """);

        succeeds("run", "größe.yaml", "--data", "dätä");

        assertThat(home.resolve("ergebnis-ä.txt")).content().isEqualTo("none none " + home.toRealPath() + "\n");
        assertThat(home.resolve("dätä/events.db")).exists();
    }

    private void succeeds(String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(home.resolve("loopkeeper").toString()), Stream.of(words))
                                .toList())
                .directory(home.toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
    }
}
