package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.Usage;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainTextTest {
    @Test
    void believesAnExitCodeOfZero() {
        AgentReport report = text("HTTP 401 was handled\n").read(Exits.exited(0));
        assertThat(report.summary().termination()).isEqualTo("stop");
        assertThat(report.summary().error()).isEmpty();
        assertThat(report.summary().diagnostic()).isEmpty();
        assertThat(report.summary().usage()).isEqualTo(Usage.UNKNOWN);
        assertThat(report.finalRecord()).isFalse();
    }

    @Test
    void makesNoErrorOfAFailureThatNamesNone() {
        AgentReport report =
                text("3 tests failed\n").complaining("see the log\n").read(Exits.exited(1));
        assertThat(report.summary().termination()).isEqualTo("error_during_execution");
        assertThat(report.summary().error()).isEmpty();
        assertThat(report.summary().diagnostic()).contains("exit 1: 3 tests failed\nsee the log");
        assertThat(text("working\n")
                        .complaining("see the log\n")
                        .read(Exits.exited(1))
                        .summary()
                        .diagnostic())
                .contains("exit 1: see the log");
    }

    /** make reports on standard error only which target failed. */
    @Test
    void namesTheFirstFailureOfBothStreamsBeforeTheLastLines() {
        String make = "make: *** [Makefile:2: test] Error 1\n";
        String failed = "PASS test_error\nFAIL: test_login expected 3 got 4\n";

        assertThat(failure(failed + "1 failed, 3 passed\n", make))
                .isEqualTo("exit 2: FAIL: test_login expected 3 got 4\nmake: *** [Makefile:2: test] Error 1");
        assertThat(failure(failed + "ran one\n".repeat(200), make)).contains("FAIL: test_login", "make: ***");
        assertThat(failure(failed + "ran one\n".repeat(200), ""))
                .contains("FAIL: test_login")
                .endsWith("ran one");
        assertThat(failure(
                        "FAIL " + "x".repeat(9_000) + "\n",
                        "y".repeat(100).concat("\n").repeat(30) + make))
                .hasSizeLessThanOrEqualTo(2_000)
                .startsWith("exit 2: FAIL x")
                .endsWith(make.strip());
    }

    private static String failure(String stdout, String stderr) {
        return text(stdout)
                .complaining(stderr)
                .read(Exits.exited(2))
                .summary()
                .diagnostic()
                .orElseThrow();
    }

    @Test
    void classifiesItsLastWordsFirstFromStderr() {
        AgentReport report = text("HTTP 500\n")
                .complaining("Error: rate limit exceeded, reset in 45s\n")
                .read(Exits.exited(1));
        assertThat(report.summary().termination()).isEqualTo("error_provider_unavailable");
        assertThat(report.summary().error().map(ErrorContext::kind)).contains("rate-limit");
        assertThat(report.summary().resumeAt()).contains(Transcript.NOW.plusSeconds(45));
        assertThat(text("HTTP 500\n").read(Exits.exited(1)).summary().error().map(ErrorContext::kind))
                .contains("server");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "17    | Error: 429 Too Many Requests\\nretry-after: 17",
                "34    | * Quota exceeded for metric: x, limit: 20\\nPlease retry in 34s.]\\nPlease wait",
                "16    | The API provider has rate limited you. Try again later.\\nRetrying in 16.0 seconds...",
                "18000 | You've hit your session limit\\nresets 3pm (UTC)",
                "3600  | HTTP/2 429 \\nretry-after: 3600\\n\\n{\"error\":{\"type\":\"rate_limit_error\"}}"
            })
    void readsADelayBesideTheLineThatReportsTheError(long seconds, String stderr) {
        AgentReport report =
                text("").complaining(stderr.replace("\\n", "\n") + "\n").read(Exits.exited(1));
        assertThat(report.summary().resumeAt()).contains(Transcript.NOW.plusSeconds(seconds));
    }

    @Test
    void doesNotClassifyWhatItSaidLongBefore() {
        String longAgo = "HTTP 401\n" + "working\n".repeat(5_000);
        assertThat(text(longAgo).read(Exits.exited(1)).summary().error()).isEmpty();
    }

    @Test
    void distinguishesACrashALaunchAndOurOwnStop() {
        assertThat(text("").read(Exits.exited(137)).summary().termination()).isEqualTo("error_crashed");
        assertThat(text("").read(Exits.vanished()).summary().termination()).isEqualTo("error_crashed");
        assertThat(kind(text("").read(Exits.exited(127)))).isEqualTo("session-failed");
        assertThat(kind(text("").read(Exits.endedByLoopkeeper(ErrorKind.IDLE, OptionalInt.of(143)))))
                .isEqualTo("idle");
        assertThat(kind(text("").read(Exits.endedByLoopkeeper(ErrorKind.ABORTED, OptionalInt.of(0)))))
                .isEqualTo("aborted");
    }

    private static Transcript text(String stdout) {
        return Transcript.printed(OutputDialect.TEXT, stdout);
    }

    private static String kind(AgentReport report) {
        return report.summary().error().map(ErrorContext::kind).orElse("-");
    }
}
