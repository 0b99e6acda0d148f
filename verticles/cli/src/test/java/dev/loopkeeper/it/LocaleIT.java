package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script under an environment as cron and systemd give it. */
class LocaleIT {
    @TempDir
    Path folder;

    @Test
    void withoutALocaleFilesOfAnyNameAreUsedAndAgentsKeepTheirs() throws Exception {
        Path place = Files.createDirectory(folder.resolve("Müller ☃"));
        Files.copy(Path.of("../../loopkeeper"), place.resolve("loopkeeper"));
        Files.createSymbolicLink(place.resolve("loopkeeper.jar"), Path.of(System.getProperty("loopkeeper.jar")));
        Files.writeString(place.resolve("größe.yaml"), """
                name: size
                agents:
                  one: {command: "echo \\"${LC_ALL-none} ${LANG-none} $PWD\\" > ergebnis-ä.txt"}
                phases: [{name: only, task: one}]
                """);

        Process process = start(place);

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(place.resolve("ergebnis-ä.txt")).content().isEqualTo("none none " + place.toRealPath() + "\n");
        assertThat(place.resolve("dätä/events.db")).exists();
    }

    private static Process start(Path place) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        List.of(place.resolve("loopkeeper").toString(), "run", "größe.yaml", "--data", "dätä"))
                .directory(place.toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        return builder.start();
    }
}
