package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.ErrorContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Each row of {@code real.csv}: what a real program of that version printed, and what it means. The files are written by
 * {@code verticles/cli/src/test/agents}.
 */
class RealProgramsTest {
    @ParameterizedTest
    @CsvFileSource(resources = "real.csv", numLinesToSkip = 1)
    void isReadForWhatItIs(String name, int exitCode, String termination, String kind) {
        AgentReport report = Transcript.recorded(name).read(Exits.exited(exitCode));

        assertThat(report.summary().termination()).isEqualTo(termination);
        assertThat(report.summary().error().map(ErrorContext::kind).orElse("-")).isEqualTo(kind);
    }
}
