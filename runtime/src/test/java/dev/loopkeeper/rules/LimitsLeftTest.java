package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.LaunchContextTest.STALLED;
import static dev.loopkeeper.rules.LaunchContextTest.context;
import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.LaunchLimits;
import dev.loopkeeper.step.Usage;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LimitsLeftTest {
    private static final String TASK = Manifests.phases("{name: plan, task: dev}");

    private static Usage used(double costUsd, long tokens, long turns) {
        return new Usage(
                OptionalDouble.of(costUsd), OptionalLong.of(tokens), OptionalLong.empty(), OptionalLong.of(turns));
    }

    private static RunKit limited(String budget, String yaml) {
        return RunKit.started("budget: {" + budget + "}\n" + yaml);
    }

    /** The parts of the limits that are not null, as JSON. */
    static Stream<Arguments> launches() {
        String loop = Manifests.loop("maxIterations: 3, noProgress: 0");
        String endless = Manifests.loop("maxIterations: 0");
        String each = Manifests.each("{id: f1}", "maxAttempts: 2");
        return Stream.of(
                row(() -> RunKit.started(TASK), "{}"),
                row(() -> RunKit.started(loop), "{iterationsLeft: 3}"),
                row(() -> RunKit.started(loop).ends("dev", exit(0)), "{iterationsLeft: 3}"),
                row(() -> RunKit.started(loop).ends("dev", exit(0)).ends("judge", STALLED), "{iterationsLeft: 2}"),
                row(() -> RunKit.started(endless), "{}"),
                row(() -> RunKit.started(each), "{attemptsLeft: 2}"),
                row(
                        () -> RunKit.started(each).ends("dev", exit(0)).ends("audit", signal("verdict: rejected")),
                        "{attemptsLeft: 1}"),
                row(
                        () -> limited("costUsd: 1, tokens: 100, turns: 10", loop)
                                .uses("dev", used(0.1, 30, 2))
                                .ends("dev", exit(0).telling(used(0.3, 40, 3))),
                        "{iterationsLeft: 3, costUsdLeft: 0.7, tokensLeft: 60, turnsLeft: 7}"),
                row(() -> limited("costUsd: 1", TASK), "{costUsdLeft: 1.0}"));
    }

    private static Arguments row(Supplier<RunKit> run, String expected) {
        return Arguments.of(run, expected);
    }

    @ParameterizedTest
    @MethodSource("launches")
    void eachLaunchKnowsWhatIsLeft(Supplier<RunKit> run, String expected) {
        LaunchLimits limits = context(run.get()).limits();
        JsonNode known = Json.MAPPER.valueToTree(limits);
        known.properties().removeIf(part -> part.getValue().isNull());

        assertThat(known.toString().replace("\"", "").replace(":", ": ").replace(",", ", "))
                .isEqualTo(expected);
    }

    @Test
    void theDeadlineIsTheEarlierOfBudgetAndTimeout() {
        RunKit budget = limited("time: 1h", TASK);
        LaunchLimits byBudget = context(budget).limits();
        var begun = budget.state().steps().values().iterator().next().startedAt();
        RunKit timed = limited(
                "time: 1h",
                "name: demo\nagents: {dev: {command: [a], timeout: 10m}}\nphases:\n- {name: plan, task: dev}\n");
        LaunchLimits byTimeout = context(timed).limits();
        var begunTimed = timed.state().steps().values().iterator().next().startedAt();

        assertThat(byBudget.timeLeftMs()).hasValue(3_600_000);
        assertThat(byBudget.deadline()).contains(begun.plusSeconds(3600));
        assertThat(byTimeout.timeLeftMs()).hasValue(3_600_000);
        assertThat(byTimeout.deadline()).contains(begunTimed.plusSeconds(600));
    }

    @Test
    void oneLineSaysWhatIsLeft() {
        RunKit run = limited("costUsd: 4.2, time: 1h", Manifests.loop("maxIterations: 3"));

        assertThat(context(run).limits().text())
                .startsWith("3 iterations, $4.20, 1h of active time left, including this launch; deadline ");
        assertThat(LaunchLimits.NONE.text()).isEmpty();
    }
}
