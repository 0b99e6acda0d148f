package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.window;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.rules.message.RunInput;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which ends of steps begin a cool-down for all runs of a pool. */
class PoolRulesTest {
    private static final String TASK = Manifests.phases("{name: build, task: judge}");
    private static final Instant END = RunKit.BEGIN.plusSeconds(10);

    private static Optional<PoolInput.Limit> limit(String manifest, StepEnd end) {
        RunKit run = RunKit.started(manifest);
        return PoolRules.limit(
                        run.state(),
                        new RunInput.StepEnded(END, run.open().get(0), end.outcome(END, "")),
                        (asking, agent) -> true)
                .map(PoolInput.Limit.class::cast);
    }

    @Test
    void aUsageWindowBeginsOne() {
        Instant reset = END.plus(Duration.ofHours(2));

        PoolInput.Limit limit = limit(TASK, window(reset)).orElseThrow();

        assertThat(limit.until()).isEqualTo(reset);
        assertThat(limit.stepId()).isEqualTo("build.judge.1");
        assertThat(limit.reason()).isEqualTo("usage limit of judge");
        assertThat(limit.returnsAt()).isPresent();
    }

    @Test
    void theRunThatMetItReturnsAtTheReset() {
        PoolInput.Limit limit =
                limit(TASK, provider("usage-window", OptionalLong.of(40_000))).orElseThrow();

        assertThat(limit.returnsAt()).contains(limit.until()).contains(END.plusSeconds(40));
    }

    @Test
    void aLongRateLimitBeginsOne() {
        PoolInput.Limit limit =
                limit(TASK, provider("rate-limit", OptionalLong.of(600_000))).orElseThrow();

        assertThat(limit.until()).isEqualTo(END.plusSeconds(600));
    }

    @Test
    void aRunThatWaitsForAPersonDoesNotReturn() {
        String never = TASK + "retry: {transient: {wait: never}}\n";

        assertThat(limit(never, window(END.plus(Duration.ofHours(2))))
                        .orElseThrow()
                        .returnsAt())
                .isEmpty();
    }

    @Test
    void whatTheBackoffCoversBeginsNone() {
        assertThat(limit(TASK, provider("rate-limit", OptionalLong.of(60_000)))).isEmpty();
        assertThat(limit(TASK, provider("rate-limit", OptionalLong.empty()))).isEmpty();
    }

    @Test
    void otherErrorsAndGoodEndsBeginNone() {
        assertThat(limit(TASK, provider("overloaded", OptionalLong.of(600_000))))
                .isEmpty();
        assertThat(limit(Manifests.phases("{name: build, task: dev}"), exit(0))).isEmpty();
        assertThat(limit(TASK, exit(1))).isEmpty();
    }
}
