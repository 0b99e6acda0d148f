package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.BudgetWarning;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.view.TotalUsage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What caps do while a run works, over all its executions. */
class BudgetTest {
    private static final String CODEX_TOO =
            "agents: {dev: {command: [dev], output: codex}, " + "cheap: {command: [cheap], output: claude-code}}\n";
    private static final Usage TOKENS =
            new Usage(OptionalDouble.empty(), OptionalLong.of(100), OptionalLong.of(10), OptionalLong.of(1));

    private static RunKit items(String budget, int items, int concurrency) {
        StringBuilder specs = new StringBuilder("{id: f1}");
        for (int item = 2; item <= items; item++) {
            specs.append(", {id: f").append(item).append('}');
        }
        return RunKit.started("budget: {" + budget + "}\nretry: {backoff: {initial: 2s, jitter: 0}}\n"
                + Manifests.phases("{name: frames, each: {steps: [dev], items: [" + specs + "], concurrency: "
                        + concurrency + "}}"));
    }

    private static RunKit task(String agents, String budget) {
        return RunKit.started("name: demo\n" + agents + "phases: [{name: a, task: dev}, {name: b, task: dev}, "
                + "{name: c, task: cheap}]\nbudget: {" + budget + "}\n");
    }

    private static List<String> warnings(RunKit run) {
        return run.history().stream()
                .filter(BudgetWarning.class::isInstance)
                .map(event -> ((BudgetWarning) event).part())
                .toList();
    }

    /** After f1 cost {@code first}: how many of the other two slots are filled again. */
    @ParameterizedTest
    @CsvSource({"10, 1, 3", "10, 2.49, 3", "10, 2.5, 3", "10, 3.3, 3", "10, 3.4, 2", "10, 5, 2", "10, 9.9, 2"})
    void aStepIsNotLaunchedWhereThoseThatRunMayUseTheRest(double cap, double first, int open) {
        RunKit run = items("costUsd: " + cap, 9, 3).ends("frames.f1.dev.1", exit(0).costing(first));

        assertThat(run.open()).hasSize(open);
    }

    @Test
    void aSumThatIsTooLargeForANumberIsTheLargestNumber() {
        Usage large =
                new Usage(OptionalDouble.of(1e308), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
        Spending sum = new Spending(
                        BigDecimal.ZERO,
                        false,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        true,
                        false)
                .plus(large)
                .plus(large);

        assertThat(sum.asUsage().costUsd()).hasValue(Double.MAX_VALUE);
        assertThat(new Usage(
                                OptionalDouble.of(Double.POSITIVE_INFINITY),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty())
                        .costUsd())
                .hasValue(Double.MAX_VALUE);
    }

    @Test
    void aSumOfTokensThatOverflowsIsNotNegative() {
        Usage most = new Usage(
                OptionalDouble.empty(),
                OptionalLong.of(Long.MAX_VALUE),
                OptionalLong.of(Long.MAX_VALUE),
                OptionalLong.empty());
        TotalUsage total =
                new TotalUsage(most.costUsd(), most.inputTokens(), most.outputTokens(), most.turns(), false, false);

        assertThat(most.tokens()).hasValue(Long.MAX_VALUE);
        assertThat(total.tokens()).hasValue(Long.MAX_VALUE);
        assertThat(new StepUsage("build.1.dev.1", most).text()).contains(Long.MAX_VALUE + " tokens");
    }

    @Test
    void aSlotThatWasHeldBackIsFilledOnceAStepTurnsOutCheaper() {
        RunKit run = items("costUsd: 10", 9, 3).ends("frames.f1.dev.1", exit(0).costing(4));
        assertThat(run.open()).containsExactly("frames.f2.dev.1", "frames.f3.dev.1");

        run.ends("frames.f2.dev.1", exit(0).costing(0.1));

        assertThat(run.open()).containsExactly("frames.f3.dev.1", "frames.f4.dev.1");
        run.ends("frames.f3.dev.1", exit(0).costing(0.1)).ends("frames.f4.dev.1", exit(0).costing(0.1));
        assertThat(run.open()).isNotEmpty();
    }

    @Test
    void oneStepAtATimeIsAlwaysLaunchedBelowTheCap() {
        RunKit run = items("costUsd: 10", 3, 1).ends("dev", exit(0).costing(9.5));
        assertThat(run.open()).containsExactly("frames.f2.dev.1");

        run.ends("dev", exit(0).costing(0.5));

        assertThat(run.ended().reasonCode()).contains("budget-exceeded");
    }

    @Test
    void aDueRetryWaitsForASlotWithoutATimer() {
        RunKit run = items("costUsd: 10", 2, 2)
                .ends("frames.f1.dev.1", provider(OptionalLong.of(1000)).costing(5.5))
                .later(Duration.ofSeconds(5))
                .timer();
        assertThat(run.open()).containsExactly("frames.f2.dev.1");
        assertThat(run.commands(RunCommand.WakeAt.class)).isEmpty();

        run.ends("frames.f2.dev.1", exit(0).costing(0.5));

        assertThat(run.open()).containsExactly("frames.f1.dev.1-2");
    }

    @Test
    void aRetryThatIsDueUnderAPauseRingsNoAlarm() {
        RunKit run = items("costUsd: 10", 2, 2)
                .ends("frames.f1.dev.1", provider(OptionalLong.of(1000)))
                .pause()
                .later(Duration.ofSeconds(5))
                .timer();

        assertThat(run.commands(RunCommand.WakeAt.class)).isEmpty();
        assertThat(run.types()).isEmpty();
    }

    @Test
    void noRetryIsMadeWithoutMoneyForIt() {
        RunKit run = items("costUsd: 1", 1, 1)
                .ends("dev", provider(OptionalLong.empty()).costing(1));

        assertThat(run.ended().reasonCode()).contains("budget-exceeded");
        run.resume(Resume.plain().costUsd(5));
        assertThat(run.open()).containsExactly("frames.f1.dev.1-2");
    }

    @Test
    void aPausedRunNeedsMoneyToContinue() {
        RunKit run = RunKit.started("budget: {costUsd: 1}\n" + Manifests.loop("maxIterations: 3"))
                .ends("dev", exit(0))
                .ends("judge", StepEnd.silent(SignalDetail.ABSENT).costing(2))
                .resume(Resume.plain());

        assertThat(run.refused().code()).isEqualTo(RefusalCode.RESUME_PRECONDITION);
        assertThat(run.refused().message()).isEqualTo("a resume requires a cost cap above $2.00 (budget.costUsd)");
        assertThat(run.missing()).containsExactly("a cost cap above $2.00 (budget.costUsd)");
        run.resume(Resume.plain().costUsd(3));
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void whatIsSpentStaysSpentInTheNextExecution() {
        RunKit run = RunKit.started("budget: {turns: 4, warnAt: 0.5}\n" + Manifests.loop("maxIterations: 9"))
                .inTurn(signal("determination: PROGRESS").costing(0.1), "dev", "judge")
                .stop()
                .ends("dev", StepEnd.by(ExitCause.STOPPED))
                .resume(Resume.plain())
                .crash()
                .inTurn(exit(0).costing(0.1), "dev")
                .ends("judge", signal("determination: PROGRESS").costing(0.1));

        assertThat(run.ended().summary()).contains("4 turns used, the turn cap is 4");
        assertThat(warnings(run)).containsExactly("turns");
    }

    @Test
    void theCapOnTimeEndsAStepInTheMiddleOverAllExecutions() {
        RunKit run = RunKit.started("budget: {time: 10m}\n" + Manifests.loop("maxIterations: 9"));
        Instant begun = run.state().active().since().orElseThrow();
        assertThat(run.commands(RunCommand.WakeAt.class))
                .containsExactly(new RunCommand.WakeAt(begun.plus(Duration.ofMinutes(8))));

        run.later(Duration.ofMinutes(8)).timer();
        assertThat(warnings(run)).containsExactly("time");
        assertThat(run.lastEvent(BudgetWarning.class).message()).contains("of active time used, the time cap is 10m");
        assertThat(run.commands(RunCommand.WakeAt.class))
                .containsExactly(new RunCommand.WakeAt(begun.plus(Duration.ofMinutes(10))));

        run.stop().ends("dev", StepEnd.by(ExitCause.STOPPED)).later(Duration.ofHours(9));
        run.resume(Resume.plain()).later(Duration.ofMinutes(2)).timer();
        assertThat(run.commands(RunCommand.StopStep.class)).hasSize(1);
        run.ends("dev", StepEnd.by(ExitCause.STOPPED));
        assertThat(run.ended().reasonCode()).contains("budget-exceeded");
        assertThat(run.state().ledger().exhaustion().orElseThrow().qualifier()).contains("time");
    }

    @Test
    void aResumeNeedsMoreTimeThanWasUsed() {
        RunKit run = RunKit.started("budget: {time: 1m}\n" + Manifests.loop("maxIterations: 9"))
                .later(Duration.ofMinutes(1))
                .timer()
                .ends("dev", StepEnd.by(ExitCause.STOPPED))
                .resume(Resume.plain());

        assertThat(run.missing()).singleElement().asString().matches("a time cap above 1m \\ds \\(budget.time\\)");
        run.resume(new Resume(ResumeRequest.PLAIN.with(copy -> copy.time(Optional.of(Duration.ofMinutes(1))))));
        assertThat(run.missing()).hasSize(1);
        run.resume(new Resume(ResumeRequest.PLAIN.with(copy -> copy.time(Optional.of(Duration.ofHours(1))))));
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }

    @Test
    void timeWithoutAgentAndRuntimeDoesNotUseUpTheCap() {
        RunKit run = RunKit.started("budget: {time: 1h}\n" + Manifests.loop("maxIterations: 9"))
                .later(Duration.ofMinutes(1));
        Instant died = run.now();
        run.later(Duration.ofHours(9)).crash();
        assertThat(run.commands(RunCommand.WakeAt.class))
                .containsExactly(new RunCommand.WakeAt(run.now().plusSeconds(5)));

        run.reports("dev", exit(0), died);

        assertThat(run.open()).containsExactly("build.1.judge.1");
    }

    @Test
    void aWaitUsesNoTime() {
        RunKit run = RunKit.started("budget: {time: 1h}\n" + Manifests.loop("maxIterations: 9"))
                .ends("dev", provider(OptionalLong.of(120_000)));
        Instant due = run.commands(RunCommand.WakeAt.class).get(0).due();

        run.later(Duration.between(run.now(), due).plusMinutes(50)).timer();

        assertThat(run.open()).hasSize(1);
    }

    @Test
    void aCostOfZeroThatWasReportedIsKnown() {
        RunKit run = task("agents: {dev: {command: [dev]}, cheap: {command: [cheap]}}\n", "costUsd: 1")
                .ends("dev", exit(0).costing(0));

        assertThat(ViewJson.write(RunView.of(run.state())).path("usage").toString())
                .isEqualTo("{\"costUsd\":0.0,\"inputTokens\":100,\"outputTokens\":10,\"turns\":1,\"costKnown\":true}");
        assertThat(unreported(run)).isEmpty();
        run.inTurn(exit(0), "dev", "cheap");
        assertThat(run.ended().costUsd()).hasValue(0);
    }

    @Test
    void anUnreportedCostIsNullAndNever0() {
        RunKit run = task(CODEX_TOO, "").uses("dev", Usage.UNKNOWN).ends("dev", exit(0));
        assertThat(usage(run))
                .isEqualTo("{\"costUsd\":null,\"inputTokens\":null,\"outputTokens\":null,\"turns\":null,"
                        + "\"costKnown\":false}");

        OptionalLong seven = OptionalLong.of(7);
        Usage some = new Usage(OptionalDouble.empty(), OptionalLong.empty(), seven, OptionalLong.empty());
        assertThat(usage(run.uses("dev", some)))
                .isEqualTo("{\"costUsd\":null,\"inputTokens\":null,\"outputTokens\":7,\"turns\":null,"
                        + "\"costKnown\":false}");

        run.stop().ends("dev", StepEnd.by(ExitCause.STOPPED));
        assertThat(run.ended().usage()).isEqualTo(some);
    }

    @Test
    void aCostOf0BesideAnUnknownOneIsNotKnown() {
        RunKit run = task(
                        "agents: {dev: {command: [dev], output: claude-code}, "
                                + "cheap: {command: [cheap], output: codex}}\n",
                        "")
                .inTurn(exit(0).costing(0), "dev", "dev");
        assertThat(usage(run)).contains("\"costUsd\":0.0").endsWith("\"costKnown\":true}");

        run.ends("cheap", exit(0));

        assertThat(usage(run)).contains("\"costUsd\":0.0").endsWith("\"costKnown\":false}");
    }

    @Test
    void aScriptBesideAnAgentThatReportsItsCostHasNone() {
        RunKit run = task("agents: {dev: {command: [dev], output: claude-code}, cheap: {command: [cheap]}}\n", "")
                .inTurn(exit(0).costing(0.25), "dev", "dev")
                .ends("cheap", exit(0));

        assertThat(usage(run)).contains("\"costUsd\":0.5").endsWith("\"costKnown\":true}");
    }

    @Test
    void aStepThatWasNeverLaunchedCostNothing() {
        RunKit run = task("agents: {dev: {command: [dev], output: claude-code}, cheap: {command: [cheap]}}\n", "")
                .ends("dev", exit(0).costing(0.25))
                .ends("dev", StepEnd.by(ExitCause.LAUNCH_FAILED));

        assertThat(usage(run)).endsWith("\"costKnown\":true}");
    }

    private static String usage(RunKit run) {
        return ViewJson.write(RunView.of(run.state())).path("usage").toString();
    }

    /** The budget's units and the agents that did not report them, as the message names them. */
    private static List<String> unreported(RunKit run) {
        return run.history().stream()
                .filter(Notice.class::isInstance)
                .map(Notice.class::cast)
                .filter(notice -> notice.code().equals("budget-unreported"))
                .map(notice -> notice.once().orElseThrow())
                .toList();
    }

    @Test
    void eachUnitOfABudgetThatAnAgentDoesNotReportIsSaidOnce() {
        Usage turns = new Usage(OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(2));
        RunKit run = task(CODEX_TOO, "costUsd: 9, tokens: 900, turns: 90");
        run.uses("dev", turns).ends("dev", exit(0)).crash().uses("dev", turns).ends("dev", exit(0));
        assertThat(unreported(run)).containsExactly("budget-unreported:costUsd:dev", "budget-unreported:tokens:dev");
        assertThat(run.history())
                .contains(Notice.once(
                        "budget-unreported",
                        "budget-unreported:tokens:dev",
                        "dev does not report its tokens: the cap on tokens does not count them"));

        run.ends("cheap", exit(0).costing(1));

        assertThat(unreported(run)).hasSize(2);
        assertThat(warnings(run)).isEmpty();
    }

    @Test
    void anAgentThatReportsItsCostAtItsEndIsNotWarnedOfWhileItRuns() {
        RunKit run =
                task(CODEX_TOO.replace("codex", "claude-code"), "costUsd: 1").uses("dev", TOKENS);
        assertThat(unreported(run)).isEmpty();

        run.ends("dev", exit(0)).ends("dev", exit(0));

        assertThat(unreported(run)).containsExactly("budget-unreported:costUsd:dev");
    }

    @Test
    void anAgentThatNeverReportsItsCostIsWarnedOfAtOnceAndOnlyOnce() {
        RunKit run = task(CODEX_TOO, "costUsd: 1").uses("dev", TOKENS);
        assertThat(unreported(run)).containsExactly("budget-unreported:costUsd:dev");
        assertThat(run.lastEvent(Notice.class).message()).contains("no cap on tokens is set");

        run.crash().ends("dev", exit(0)).uses("dev", TOKENS).ends("dev", exit(0));

        assertThat(unreported(run)).containsExactly("budget-unreported:costUsd:dev");
    }

    @Test
    void warnsOfAScriptOnlyIfNoAgentReportsACost() {
        String text = "agents: {dev: {command: [dev]}, cheap: {command: [cheap]}}\n";
        assertThat(unreported(task(text, "costUsd: 1").ends("dev", exit(0))))
                .containsExactly("budget-unreported:costUsd:dev");
        assertThat(unreported(task(text, "tokens: 1").ends("dev", exit(0))))
                .containsExactly("budget-unreported:tokens:dev");
        String mixed = text.replace("[cheap]", "[cheap], output: claude-code");
        assertThat(unreported(task(mixed, "costUsd: 1").ends("dev", exit(0)))).isEmpty();
    }

    @Test
    void whatIsTooMuchToCountStillReachesTheCap() {
        Usage endless = new Usage(
                OptionalDouble.empty(), OptionalLong.of(Long.MAX_VALUE), OptionalLong.of(9), OptionalLong.of(1));
        RunKit run = task(CODEX_TOO, "tokens: 100").uses("dev", endless);

        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.ends("dev", StepEnd.by(ExitCause.STOPPED)).ended().reasonCode())
                .contains("budget-exceeded");
    }
}
