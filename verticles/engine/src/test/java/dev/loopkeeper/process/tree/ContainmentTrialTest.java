package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.process.Containing;
import dev.loopkeeper.process.trial.ContainmentTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContainmentTrialTest extends SupervisorHarness {
    private ContainmentTrial.Verdict trial(Containing kind) throws IOException {
        Path place = Files.createDirectory(folder.resolve(kind.name()));
        return done(ContainmentTrial.run(supervisor().vertx, place, kind));
    }

    @ParameterizedTest
    @EnumSource(Containing.class)
    void nothingIsLeftAfterATrialWhateverItsVerdict(Containing kind) throws IOException {
        ContainmentTrial.Verdict verdict = trial(kind);
        assertThat(verdict.found()).isNotBlank();
        assertThat(verdict.holds())
                .as(verdict.found())
                .isEqualTo(verdict.found().startsWith("a trial stopped "));
        Awaitility.await().untilAsserted(() -> assertThat(nasty()).isEmpty());
    }

    @Test
    void theSweepBySessionAndNonceWorksHere() throws IOException {
        ContainmentTrial.Verdict verdict = trial(Containing.SESSION);
        assertThat(verdict.holds()).as(verdict.found()).isTrue();
        assertThat(verdict.found()).contains("nonce");
    }

    /** All of them work in the place of their trial. */
    private Stream<String> nasty() {
        ProcFs processes = new ProcFs();
        return processes.all().stream()
                .filter(stat -> stat.living() && isHere(stat.pid()))
                .map(stat -> processes.commandLine(stat.pid()))
                .filter(words -> words.startsWith("sh -c") && words.contains("nasty-"));
    }

    private boolean isHere(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd")).startsWith(folder.toRealPath());
        } catch (IOException gone) {
            return false;
        }
    }
}
