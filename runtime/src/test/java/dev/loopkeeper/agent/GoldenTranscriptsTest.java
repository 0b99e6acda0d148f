package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Each row of {@code endings.csv}: what was printed, how it ended, and what that means. */
class GoldenTranscriptsTest {

    @ParameterizedTest
    @CsvFileSource(resources = "endings.csv", numLinesToSkip = 1)
    void meansWhatItSays(
            String path,
            int exitCode,
            String termination,
            String kind,
            String session,
            String cost,
            String input,
            String output,
            String turns,
            String resumeAt) {
        AgentReport report = Transcript.of(path).read(Exits.exited(exitCode));
        Usage usage = report.summary().usage();

        assertThat(report.summary().termination()).isEqualTo(termination);
        assertThat(report.summary().error().map(ErrorContext::kind).orElse("-")).isEqualTo(kind);
        assertThat(report.sessionId().orElse("-")).isEqualTo(session);
        assertThat(usage.costUsd().isPresent() ? "" + usage.costUsd().getAsDouble() : "-")
                .isEqualTo(cost);
        assertThat(shown(usage.inputTokens())).isEqualTo(input);
        assertThat(shown(usage.outputTokens())).isEqualTo(output);
        assertThat(shown(usage.turns())).isEqualTo(turns);
        assertThat(report.summary().resumeAt().map(Object::toString).orElse("-"))
                .isEqualTo(resumeAt);
        assertThat(Exits.succeeded(report)).isEqualTo(!termination.startsWith("error_"));
        assertThat(report.summary().diagnostic().isPresent()).isEqualTo(!Exits.succeeded(report));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "endings.csv", numLinesToSkip = 1)
    void meansTheSameInWhateverPiecesItComes(String path, int exitCode) {
        Transcript transcript = Transcript.of(path);
        AgentReport whole = transcript.read(Exits.exited(exitCode));

        assertThat(transcript.read(Exits.exited(exitCode), 1)).isEqualTo(whole);
        assertThat(transcript.read(Exits.exited(exitCode), 7)).isEqualTo(whole);
        AgentReport windows = transcript.withCarriageReturns().read(Exits.exited(exitCode));
        assertSameContent(windows, whole);
        assertThat(windows.summary().error()).isEqualTo(whole.summary().error());
        assertSameContent(transcript.withNoise().read(Exits.exited(exitCode), 1 << 16), whole);
    }

    private static void assertSameContent(AgentReport read, AgentReport whole) {
        assertThat(read.summary().termination()).isEqualTo(whole.summary().termination());
        assertThat(read.summary().usage()).isEqualTo(whole.summary().usage());
        assertThat(read.sessionId()).isEqualTo(whole.sessionId());
        assertThat(read.summary().resumeAt()).isEqualTo(whole.summary().resumeAt());
        assertThat(read.summary().error().map(ErrorContext::kind))
                .isEqualTo(whole.summary().error().map(ErrorContext::kind));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "endings.csv", numLinesToSkip = 1)
    void isNeverASuccessWhenTheRecordWasCutOff(String path, int exitCode, String termination) {
        Transcript.of(path).cutOff().forEach(part -> {
            AgentReport quiet = part.read(Exits.exited(0));
            AgentReport failed = part.read(Exits.exited(1), 3);
            AgentReport killed = part.read(Exits.exited(137));
            if (quiet.finalRecord()) {
                assertThat(quiet.summary().termination()).isIn(termination, StandardReason.STOP.subtype());
                assertThat(killed.summary().termination())
                        .isEqualTo(quiet.summary().termination());
            } else {
                assertThat(quiet.summary().termination()).isEqualTo(StandardReason.SCHEMA_VALIDATION.subtype());
                assertThat(Exits.succeeded(failed)).isFalse();
                assertThat(failed.summary().error()).isPresent();
                assertThat(killed.summary().termination()).isEqualTo(StandardReason.CRASHED.subtype());
            }
        });
    }

    private static String shown(OptionalLong number) {
        return number.isPresent() ? "" + number.getAsLong() : "-";
    }
}
