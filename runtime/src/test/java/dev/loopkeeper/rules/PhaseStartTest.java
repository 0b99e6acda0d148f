package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.statistics.StopCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The circuit breaker is checked before the first launch of a phase too: a success before it took no look. */
class PhaseStartTest {
    private static final StepEnd SUCCESS = signal("determination: SUCCESS");

    /** A loop that succeeds in its one iteration of two launches, and these phases behind it. */
    private static RunKit behindTwoLaunches(int breaker, String... phases) {
        String[] all = new String[phases.length + 1];
        all[0] = Manifests.loopPhase("");
        System.arraycopy(phases, 0, all, 1, phases.length);
        return RunKit.started("retry: {stopConditions: {circuitBreaker: " + breaker + "}}\n" + Manifests.phases(all))
                .ends("dev", exit(0))
                .ends("judge", SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: next, task: dev}",
                "{name: next, critical: false, task: dev}",
                "{name: next, gate: dev}",
                "{name: next, loop: {steps: [dev]}}",
                "{name: next, critical: false, loop: {steps: [dev]}}",
                "{name: next, each: {steps: [dev], items: [{id: f1}]}}"
            })
    void noPhaseBeginsWhereTheCircuitBreakerIsReached(String phase) {
        RunKit run = behindTwoLaunches(2, phase);

        assertThat(run.open()).isEmpty();
        assertThat(run.status()).isEqualTo(RunStatus.STOPPED);
        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(((Condition.Ended) run.state().condition())
                        .stopReason()
                        .orElseThrow()
                        .condition())
                .isEqualTo(StopCondition.CIRCUIT_BREAKER);
        assertThat(run.state().phase().orElseThrow().name()).isEqualTo("next");
        assertThat(run.resume(Resume.plain().resetStatistics()).open()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void belowItOrWithoutOneThePhaseBegins(int breaker) {
        assertThat(behindTwoLaunches(breaker, "{name: next, task: dev}").open()).containsExactly("next.dev.1");
    }

    @Test
    void aSuccessOfTheLastPhaseIsASuccess() {
        assertThat(behindTwoLaunches(2).subtype()).isEqualTo("stop");
    }

    @Test
    void manyLoopsThatSucceedAtOnceAreCountedTogether() {
        RunKit run = behindTwoLaunches(
                        3, "{name: second, loop: {steps: [judge]}}", "{name: third, loop: {steps: [judge]}}")
                .ends("judge", SUCCESS);

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(run.state().ledger().statistics().totalAttempts()).isEqualTo(3);
    }

    @Test
    void anExecutionThatIsForcedOverItBeginsOnePhase() {
        RunKit run = behindTwoLaunches(2, "{name: next, task: dev}", "{name: last, task: dev}")
                .resume(Resume.plain().force());
        assertThat(run.open()).containsExactly("next.dev.1");

        run.ends("dev", exit(0));

        assertThat(run.subtype()).isEqualTo("error_stop_condition");
        assertThat(run.state().phase().orElseThrow().name()).isEqualTo("last");
    }
}
