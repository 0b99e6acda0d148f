package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.by;
import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.SignalDetail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LaunchContextTest {
    private static final String LOST = "keyConcern: header row lost";
    static final StepEnd STALLED = signal("determination: STALLED, " + LOST);
    private static final StepEnd REJECTED = signal("verdict: rejected, " + LOST);
    private static final StepEnd ANOMALY = signal("determination: ANOMALY, " + LOST);
    static final StepEnd RED = exit(3).printing("1 test failed");
    private static final String CHECKED = Manifests.loop("maxIterations: 9, until: {command: [check], first: false}");
    private static final String TASK = Manifests.phases("{name: plan, task: dev}");
    static final String JUDGED_TASK = Manifests.phases("{name: plan, task: architect}");
    private static final String GATED =
            Manifests.phases("{name: plan, task: dev}", "{name: verify, gate: gatekeeper, retries: 9}");
    private static final String JUDGED_GATE =
            Manifests.phases("{name: plan, task: dev}", "{name: verify, gate: judge, retries: 9}");
    static final String LOOP = Manifests.loop("maxIterations: 9, noProgress: 0");
    static final String EACH = Manifests.each("{id: f1}", "maxAttempts: 9");
    private static final String WORKTREES = "isolation: {git: worktree}\n";
    private static final String OPEN = "retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0}}\n";

    static RunKit run(String yaml) {
        return RunKit.started(OPEN + yaml);
    }

    static RunKit iteration(StepEnd dev, StepEnd judge) {
        return run(LOOP).ends("dev", dev).ends("judge", judge);
    }

    static LaunchContext context(RunKit run) {
        return LaunchContexts.of(
                run.state(), run.state().steps().values().iterator().next());
    }

    static Arguments row(String what, Supplier<RunKit> run, String expected) {
        return Arguments.of(what, run, expected);
    }

    /** Kind, detail and exit code of the failure that the one open step learns of; {@code -} where it is no other try. */
    static Stream<Arguments> tries() {
        return Stream.of(
                row("first launch", () -> run(LOOP), "-"),
                row("second step", () -> run(LOOP).ends("dev", exit(0)), "-"),
                row("loop: moved", () -> iteration(exit(0), signal("determination: PROGRESS, " + LOST)), "-"),
                row("loop: stalled", () -> iteration(exit(0), STALLED), "rejected"),
                row("loop: rejected", () -> iteration(exit(0), REJECTED), "rejected"),
                row("loop: failed by a verdict", () -> iteration(exit(0), signal("verdict: failed")), "rejected"),
                row("loop: told to both", () -> iteration(exit(0), STALLED).ends("dev", exit(0)), "rejected"),
                row(
                        "loop: overcome",
                        () -> iteration(exit(0), STALLED).inTurn(signal("determination: PROGRESS"), "dev", "judge"),
                        "-"),
                row("loop: step failed", () -> run(LOOP).ends("dev", RED), "step-failed 3"),
                row("loop: timeout", () -> run(LOOP).ends("dev", by(ExitCause.TIMEOUT)), "step-failed timeout 1"),
                row("loop: idle", () -> run(LOOP).ends("dev", by(ExitCause.IDLE)), "step-failed idle 1"),
                row("loop: killed", () -> run(LOOP).ends("dev", by(ExitCause.KILLED)), "interrupted killed 1"),
                row("loop: ladder", () -> ladder(run(LOOP)), "interrupted overloaded 1"),
                row("loop: after the ladder", () -> ladder(run(LOOP)).ends("dev", exit(0)), "-"),
                row(
                        "loop: no signal, tried again",
                        () -> missing().resume(Resume.with(ResumeAction.RETRY_ITERATION)),
                        "signal-invalid absent 0"),
                row(
                        "loop: no signal, told to both",
                        () -> missing()
                                .resume(Resume.with(ResumeAction.RETRY_ITERATION))
                                .ends("dev", exit(0)),
                        "signal-invalid absent 0"),
                row(
                        "loop: no signal, accepted",
                        () -> missing().resume(Resume.with(ResumeAction.CONTINUE)),
                        "signal-invalid absent 0"),
                row(
                        "loop: vanished",
                        () -> vanished().resume(Resume.with(ResumeAction.RETRY_ITERATION)),
                        "interrupted vanished"),
                row("loop: stopped", () -> stopped(run(LOOP)).resume(Resume.plain()), "interrupted stopped 1"),
                row(
                        "loop: stopped, next step",
                        () -> stopped(run(LOOP)).resume(Resume.plain()).ends("dev", exit(0)),
                        "-"),
                row(
                        "loop: stopped between steps",
                        () -> run(LOOP).pause().ends("dev", exit(0)).stop().resume(Resume.plain()),
                        "-"),
                row("loop: anomaly", () -> iteration(exit(0), ANOMALY).resume(Resume.plain()), "anomaly"),
                row(
                        "loop: anomaly of a type",
                        () -> iteration(exit(0), signal("determination: ANOMALY, anomalyType: regression"))
                                .resume(Resume.plain()),
                        "anomaly regression"),
                row(
                        "loop: stalled, paused",
                        () -> run(Manifests.loop("maxIterations: 9, onStalled: pause"))
                                .ends("dev", exit(0))
                                .ends("judge", STALLED)
                                .resume(Resume.plain()),
                        "anomaly"),
                row("loop: stop recommended", LaunchContextTest::recommended, "anomaly"),
                row(
                        "loop: question",
                        () -> iteration(exit(0), signal("status: partial, userInputNeeded: true, questions: [which]"))
                                .resume(Resume.plain().feedback("both")),
                        "-"),
                row(
                        "loop: question in a retry",
                        () -> iteration(exit(0), STALLED)
                                .ends("dev", exit(0))
                                .ends("judge", signal("status: partial, userInputNeeded: true, questions: [which]"))
                                .resume(Resume.plain()),
                        "rejected"),
                row("loop: check", () -> unchecked(exit(0), signal("determination: PROGRESS")), "check-failed 3"),
                row("loop: check before rejected", () -> unchecked(exit(0), STALLED), "check-failed 3"),
                row(
                        "loop: check, told to the check",
                        () -> unchecked(exit(0), STALLED).inTurn(signal("determination: PROGRESS"), "dev", "judge"),
                        "check-failed 3"),
                row(
                        "loop: check timed out",
                        () -> run(CHECKED)
                                .inTurn(signal("determination: PROGRESS"), "dev", "judge")
                                .ends(StepSpecs.CHECK, by(ExitCause.TIMEOUT)),
                        "check-failed timeout 1"),
                row("loop: no progress", LaunchContextTest::noProgress, "no-progress"),
                row("loop: limit raised", LaunchContextTest::exhausted, "rejected"),
                row("loop: budget raised", LaunchContextTest::spent, "-"),
                row(
                        "loop: window full",
                        () -> run(LOOP).ends("dev", lasting("error_prompt_too_long", "context-overflow")),
                        "context-overflow 1"),
                row(
                        "loop: every window full",
                        () -> run(LOOP)
                                .ends("dev", lasting("error_prompt_too_long", "context-overflow"))
                                .ends("dev", lasting("error_prompt_too_long", "context-overflow"))
                                .ends("cheap", lasting("error_prompt_too_long", "context-overflow"))
                                .resume(Resume.plain().feedback("shorter")),
                        "context-overflow 1"),
                row("task: failed", () -> run(TASK).ends("dev", RED).resume(Resume.plain()), "step-failed 3"),
                row("task: ladder", () -> ladder(run(TASK)), "interrupted overloaded 1"),
                row("task: stopped", () -> stopped(run(TASK)).resume(Resume.plain()), "interrupted stopped 1"),
                row(
                        "task: no signal",
                        () -> run(JUDGED_TASK)
                                .ends("architect", silent(SignalDetail.SCHEMA_INVALID))
                                .resume(Resume.with(ResumeAction.RETRY_ITERATION)),
                        "signal-invalid schema_invalid 0"),
                row(
                        "task: anomaly",
                        () -> run(JUDGED_TASK)
                                .ends("architect", signal("readiness: BLOCKED, gaps: [no design]"))
                                .resume(Resume.plain()),
                        "anomaly"),
                row(
                        "task: question",
                        () -> run(JUDGED_TASK)
                                .ends("architect", signal("status: partial, userInputNeeded: true, questions: [which]"))
                                .resume(Resume.plain()),
                        "-"),
                row("gate: first", () -> run(GATED).ends("dev", exit(0)), "-"),
                row("gate: red", () -> run(GATED).ends("dev", exit(0)).ends("gatekeeper", RED), "gate-failed 3"),
                row(
                        "gate: itself again",
                        () -> run(GATED)
                                .ends("dev", exit(0))
                                .ends("gatekeeper", RED)
                                .ends("dev", exit(0)),
                        "gate-failed 3"),
                row(
                        "gate: before a failed step",
                        () -> run(GATED)
                                .ends("dev", exit(0))
                                .ends("gatekeeper", RED)
                                .ends("dev", exit(5))
                                .resume(Resume.plain()),
                        "gate-failed 3"),
                row(
                        "gate: by its verdict",
                        () -> run(JUDGED_GATE).ends("dev", exit(0)).ends("judge", REJECTED),
                        "gate-failed 0"),
                row(
                        "gate: without its signal",
                        () -> run(JUDGED_GATE)
                                .ends("dev", exit(0))
                                .ends("judge", silent(SignalDetail.EMPTY))
                                .resume(Resume.with(ResumeAction.RETRY_ITERATION)),
                        "signal-invalid empty 0"),
                row(
                        "gate: timed out",
                        () -> run(GATED).ends("dev", exit(0)).ends("gatekeeper", by(ExitCause.TIMEOUT)),
                        "gate-failed timeout 1"),
                row(
                        "gate: before a loop",
                        () -> run(Manifests.phases(
                                        Manifests.loopPhase("maxIterations: 9"), "{name: verify, gate: gatekeeper}"))
                                .inTurn(signal("determination: SUCCESS"), "dev", "judge")
                                .ends("gatekeeper", RED)
                                .ends("dev", exit(0))
                                .ends("judge", STALLED),
                        "gate-failed 3"),
                row(
                        "gate: before items",
                        () -> run(Manifests.phases(
                                        "{name: frames, each: {steps: [audit], items: [{id: f1}]}}",
                                        "{name: verify, gate: gatekeeper}"))
                                .ends("audit", signal("verdict: approved"))
                                .ends("gatekeeper", RED),
                        "gate-failed 3"),
                row("item: first", () -> run(EACH), "-"),
                row("item: rejected", () -> run(EACH).ends("dev", exit(0)).ends("audit", REJECTED), "rejected"),
                row("item: stalled", () -> run(EACH).ends("dev", exit(0)).ends("audit", STALLED), "rejected"),
                row("item: anomaly", () -> run(EACH).ends("dev", exit(0)).ends("audit", ANOMALY), "rejected"),
                row("item: step failed", () -> run(EACH).ends("dev", RED), "step-failed 3"),
                row("item: ladder", () -> ladder(run(EACH)), "interrupted overloaded 1"),
                row("item: stopped", () -> stopped(run(EACH)).resume(Resume.plain()), "interrupted stopped 1"),
                row(
                        "item: no signal, tried again",
                        () -> run(EACH)
                                .ends("dev", exit(0))
                                .ends("audit", silent(SignalDetail.MALFORMED))
                                .resume(Resume.with(ResumeAction.RETRY_ITERATION)),
                        "signal-invalid malformed 0"),
                row("item: conflict", LaunchContextTest::conflict, "merge-conflict"),
                row(
                        "item: conflict is overcome",
                        () -> conflict().ends("dev", exit(0)).ends("audit", REJECTED),
                        "rejected"));
    }

    static RunKit ladder(RunKit run) {
        return waited(run, "dev");
    }

    static RunKit waited(RunKit run, String agent) {
        RunKit failed = run.ends(agent, provider(OptionalLong.of(1000)));
        return failed.later(Duration.ofMinutes(2)).timer();
    }

    private static RunKit missing() {
        return missing(SignalDetail.ABSENT);
    }

    static RunKit missing(SignalDetail detail) {
        return run(LOOP).ends("dev", exit(0)).ends("judge", silent(detail));
    }

    private static RunKit vanished() {
        return run(LOOP)
                .ends(
                        "dev",
                        new StepEnd(
                                ExitCause.VANISHED,
                                OptionalInt.empty(),
                                exit(1).reading(),
                                exit(1).report(),
                                false,
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                Optional.empty()));
    }

    static RunKit stopped(RunKit run) {
        return run.stop().ends("dev", by(ExitCause.STOPPED));
    }

    private static RunKit recommended() {
        return run(Manifests.phases("{name: build, loop: {steps: [judge], maxIterations: 9}}"))
                .ends("judge", signal("determination: PROGRESS, recommendStop: true, " + LOST))
                .resume(Resume.plain());
    }

    private static RunKit unchecked(StepEnd dev, StepEnd judge) {
        return run(CHECKED).ends("dev", dev).ends("judge", judge).ends(StepSpecs.CHECK, RED);
    }

    private static RunKit noProgress() {
        RunKit run = run(Manifests.loop("maxIterations: 9, noProgress: 2"));
        for (int iteration = 0; iteration < 2; iteration++) {
            run.ends("dev", exit(0).withDigest("same")).ends("judge", STALLED.withDigest("same"));
        }
        return run.resume(Resume.plain().feedback("look at the importer"));
    }

    private static RunKit exhausted() {
        return run(Manifests.loop("maxIterations: 1"))
                .ends("dev", exit(0))
                .ends("judge", STALLED)
                .resume(Resume.plain().maxIterations(3));
    }

    private static RunKit spent() {
        return run("budget: {costUsd: 1}\n" + LOOP)
                .uses("dev", StepEnd.cost(2))
                .ends("dev", by(ExitCause.STOPPED))
                .resume(Resume.plain().costUsd(9));
    }

    private static RunKit conflict() {
        return run(WORKTREES + EACH)
                .ends("dev", exit(0))
                .ends("audit", signal("verdict: approved"))
                .conflicts("a.txt", "b.txt");
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("tries")
    void aLaunchKnowsWhyItIsAnotherTry(String what, Supplier<RunKit> history, String expected) {
        RunKit run = history.get();

        assertThat(run.open()).as("%s", run.state().condition()).hasSize(1);
        assertThat(context(run).failure().map(LaunchContextTest::words).orElse("-"))
                .isEqualTo(expected);
        onEverySurface(run);
    }

    private static String words(Failure why) {
        return why.kind().wire()
                + why.detail().map(detail -> " " + detail).orElse("")
                + (why.exitCode().isPresent() ? " " + why.exitCode().getAsInt() : "");
    }

    /** The launch command, the same after a crash and from the snapshot; the texts of the prompt and the JSON say it. */
    static void onEverySurface(RunKit run) {
        OpenStep open = run.state().steps().values().iterator().next();
        LaunchContext context = context(run);
        assertThat(run.launched().context()).isEqualTo(context);
        assertThat(LaunchContexts.of(StateJson.read(StateJson.write(run.state())), open))
                .isEqualTo(context);
        assertThat(run.crash().launched().context()).isEqualTo(context);
        String block = ContextText.block(context, "/context.json");
        assertThat(block.isEmpty()).isEqualTo(context.isEmpty());
        assertThat(Json.MAPPER.valueToTree(context).path("failure").isNull())
                .isEqualTo(context.failure().isEmpty());
        context.failure().ifPresent(why -> {
            assertThat(ContextText.failure(context)).contains(why.kind().wire(), why.message());
            assertThat(block).contains(why.kind().wire(), why.message());
        });
        context.failure()
                .flatMap(Failure::output)
                .ifPresent(lines -> assertThat(block).contains(lines));
    }

    @Test
    void theNewestVerdictOfTheLoopIsKnown() {
        RunKit run = iteration(exit(0), STALLED);
        LaunchContext.Last last = context(run).last().orElseThrow();

        assertThat(last.by().agent()).isEqualTo("judge");
        assertThat(last.verdict()).isEqualTo("STALLED");
        assertThat(last.concern()).contains("header row lost");
        assertThat(last.by().stepId()).isEqualTo("build.1.judge.1");
        assertThat(context(run.ends("dev", exit(0))).last().map(LaunchContext.Last::verdict))
                .contains("PROGRESS");
    }

    @Test
    void anExitCodeIsAVerdictAndACheckGivesNone() {
        LaunchContext.Last last =
                context(unchecked(exit(0), signal("status: partial"))).last().orElseThrow();

        assertThat(last.by().agent()).isEqualTo("judge");
        assertThat(last.verdict()).isEqualTo("PROGRESS");
        assertThat(context(run(EACH).ends("dev", exit(0))).last().map(LaunchContext.Last::verdict))
                .contains("approved");
        assertThat(context(run(EACH).ends("dev", exit(2))).last().map(LaunchContext.Last::verdict))
                .contains("FAILED");
    }

    @Test
    void theFirstLaunchOfAPhaseKnowsTheVerdictBeforeIt() {
        RunKit run = run(Manifests.phases(
                        "{name: plan, task: architect}",
                        "{name: check, gate: gatekeeper}",
                        "{name: frames, each: {steps: [audit], items: [{id: f1}, {id: f2}]}}"))
                .ends("architect", signal("status: completed, keyConcern: mind the header"));
        assertThat(context(run).last().flatMap(LaunchContext.Last::concern)).contains("mind the header");
        run.ends("gatekeeper", exit(0));
        assertThat(context(run).last().map(last -> last.by().agent())).contains("architect");
        run.ends("audit", signal("verdict: approved"));

        assertThat(context(run).step().item()).contains("f2");
        assertThat(context(run).last().map(last -> last.by().agent())).contains("architect");
    }

    @Test
    void aLoopThatRunsAgainAfterAGateKeepsItsHistory() {
        RunKit run = run(Manifests.phases(Manifests.loopPhase("maxIterations: 9"), "{name: verify, gate: gatekeeper}"))
                .ends("dev", exit(0).costing(0.5))
                .ends("judge", STALLED)
                .inTurn(signal("determination: SUCCESS"), "dev", "judge")
                .ends("gatekeeper", RED);

        LaunchContext context = context(run);
        assertThat(context.step().iteration()).contains(3);
        assertThat(context.history()).extracting(LaunchContext.Earlier::verdict).containsExactly("STALLED", "SUCCESS");
        assertThat(context.history().get(0).concern()).contains("header row lost");
        assertThat(context.history().get(0).costUsd()).isEqualTo(OptionalDouble.of(0.5));
        assertThat(context.last().map(LaunchContext.Last::verdict)).contains("SUCCESS");
        assertThat(context.failure().flatMap(Failure::output)).contains("1 test failed");
    }

    /** The check says that it does not pass, and not what the agent tried. */
    @Test
    void theHistoryKeepsWhatAnAgentSaidBeforeACheck() {
        RunKit run = unchecked(signal("status: completed, keyConcern: added a line"), signal("status: partial"));

        assertThat(context(run).history()).singleElement().satisfies(iteration -> {
            assertThat(iteration.verdict()).isEqualTo("PROGRESS");
            assertThat(iteration.concern()).contains("added a line");
        });
        assertThat(context(unchecked(exit(0), signal("status: partial"))).history())
                .singleElement()
                .satisfies(
                        iteration -> assertThat(iteration.concern().orElse("")).isEqualTo("exit 3"));
    }

    @Test
    void theHistoryOfAnItemNamesItsAttempts() {
        RunKit run = run(WORKTREES + EACH)
                .ends("dev", exit(0).committing("c1"))
                .ends("audit", REJECTED)
                .ends("dev", exit(7));

        assertThat(context(run).history()).hasSize(2).last().satisfies(attempt -> {
            assertThat(attempt.iteration()).isEmpty();
            assertThat(attempt.attempt()).isEqualTo(2);
            assertThat(attempt.verdict()).isEqualTo("FAILED");
            assertThat(attempt.changedFiles()).hasValue(0);
        });
        assertThat(context(run).history().get(0).changedFiles()).hasValue(2);
        assertThat(context(conflict()).failure().orElseThrow().files()).containsExactly("a.txt", "b.txt");
        assertThat(context(conflict()).feedback().orElseThrow()).contains("a.txt, b.txt");
    }

    @Test
    void onlyTheNewestTwentyAreKept() {
        RunKit run = RunKit.started(
                "retry: {stopConditions: {circuitBreaker: 0}}\n" + Manifests.loop("maxIterations: 0, noProgress: 0"));
        IntStream.range(0, 25).forEach(any -> run.inTurn(signal("determination: PROGRESS"), "dev", "judge"));

        assertThat(context(run).history()).hasSize(20);
        assertThat(context(run).history().get(0).iteration()).contains(6);
        assertThat(context(run).omitted()).isEqualTo(5);
    }

    @Test
    void aPersonsWordsReachTheLaunch() {
        RunKit run = stopped(run(LOOP)).resume(Resume.plain().feedback("mind the header"));

        assertThat(context(run).feedback()).contains("mind the header");
        assertThat(run.stop(StopCause.OPERATOR, true).state().ledger().feedback())
                .isEqualTo("mind the header");
    }

    @Test
    void aConsultedAgentKnowsWhatItIsAbout() {
        RunKit run = iteration(exit(0), ANOMALY).resume(Resume.with(ResumeAction.REFINE_PLAN));

        assertThat(context(run).step().agent()).isEqualTo("architect");
        assertThat(context(run).failure().map(LaunchContextTest::words)).contains("anomaly");
        assertThat(context(run).failure().map(Failure::message)).contains("header row lost");
    }

    @Test
    void aHugeConcernIsCutAndMarked() {
        RunKit run = iteration(exit(0), signal("determination: STALLED, keyConcern: " + "ä".repeat(10_000)));

        String concern =
                context(run).last().flatMap(LaunchContext.Last::concern).orElseThrow();
        assertThat(concern.getBytes(StandardCharsets.UTF_8).length).isBetween(4000, 4096);
        assertThat(concern).endsWith("[loopkeeper: the rest is cut]");
    }
}
