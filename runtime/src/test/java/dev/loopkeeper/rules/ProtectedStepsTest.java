package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.LaunchContextTest.context;
import static dev.loopkeeper.rules.LaunchContextTest.row;
import static dev.loopkeeper.rules.LaunchContextTest.run;
import static dev.loopkeeper.rules.StepEnd.by;
import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a step that changed protected files, whatever its agent said of its work. */
class ProtectedStepsTest {
    private static final String FILE = "tests/a.txt";
    private static final StepEnd SUCCESS = signal("determination: SUCCESS, usage: {costUsd: 2}");
    private static final String GATED =
            Manifests.phases("{name: plan, task: dev}", "{name: verify, gate: judge, retries: 9}");

    /** The step that is open after it. */
    static Stream<Arguments> rejections() {
        return Stream.of(
                row("first step", () -> loop().touches("dev", exit(0), FILE), "build.2.dev.1"),
                row("last step", () -> loop().ends("dev", exit(0)).touches("judge", SUCCESS, FILE), "build.2.dev.1"),
                row("failed", () -> loop().touches("dev", exit(3), FILE), "build.2.dev.1"),
                row("timeout", () -> loop().touches("dev", by(ExitCause.TIMEOUT), FILE), "build.2.dev.1"),
                row("provider away", () -> loop().touches("dev", provider(OptionalLong.of(9)), FILE), "build.2.dev.1"),
                row("vanished", () -> loop().touches("dev", by(ExitCause.VANISHED), FILE), "build.2.dev.1"),
                row(
                        "no signal",
                        () -> loop().ends("dev", exit(0)).touches("judge", silent(SignalDetail.ABSENT), FILE),
                        "build.2.dev.1"),
                row(
                        "question",
                        () -> loop().ends("dev", exit(0))
                                .touches("judge", signal("status: partial, userInputNeeded: true"), FILE),
                        "build.2.dev.1"),
                row(
                        "terminal",
                        () -> loop().ends("dev", exit(0))
                                .touches("judge", signal("terminal: {reasonCode: stop, summary: done}"), FILE),
                        "build.2.dev.1"),
                row(
                        "text",
                        () -> run(Manifests.loop("maxIterations: 9, until: {output: DONE}"))
                                .touches("dev", exit(0).printingTheText(), FILE),
                        "build.2.dev.1"),
                row(
                        "check",
                        () -> run(Manifests.loop("maxIterations: 9, until: {command: [check], first: false}"))
                                .inTurn(signal("determination: PROGRESS"), "dev", "judge")
                                .touches(StepSpecs.CHECK, exit(0), FILE),
                        "build.2.dev.1"),
                row(
                        "stopped",
                        () -> loop().stop()
                                .touches("dev", by(ExitCause.STOPPED), FILE)
                                .resume(Resume.plain()),
                        "build.1.dev.1-2"),
                row(
                        "item",
                        () -> run(LaunchContextTest.EACH).touches("dev", signal("verdict: approved"), FILE),
                        "frames.f1.dev.2"),
                row(
                        "gate",
                        () -> run(GATED).ends("dev", exit(0)).touches("judge", signal("verdict: approved"), FILE),
                        "plan.dev.2"));
    }

    private static RunKit loop() {
        return run(LaunchContextTest.LOOP);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rejections")
    void theWorkEndsThereAndTheNextLaunchLearnsTheFiles(String what, Supplier<RunKit> rejected, String open) {
        RunKit run = rejected.get();

        assertThat(run.open()).containsExactly(open);
        Failure failure = context(run).failure().orElseThrow();
        assertThat(failure.kind()).isEqualTo(FailureKind.REJECTED);
        assertThat(failure.files()).containsExactly(FILE);
        assertThat(failure.message()).isEqualTo("the step changed protected files: tests/a.txt; they are not set back");
        assertThat(ContextText.block(context(run), "")).contains("Protected files:\n", FILE);
    }

    @Test
    void itsIterationIsStalledAndItsUsageCounts() {
        RunKit run = loop().ends("dev", exit(0)).touches("judge", SUCCESS, FILE);

        assertThat(run.lastEvent(IterationFinished.class).result().verdict()).isEqualTo(Verdict.STALLED);
        StepFinished step = run.lastEvent(StepFinished.class);
        assertThat(step.result().costUsd()).hasValue(2);
        assertThat(step.result().signal().orElseThrow().path("determination").asText())
                .isEqualTo("SUCCESS");
        assertThat(context(run).last().orElseThrow().verdict()).isEqualTo("rejected");
    }

    @Test
    void aTaskIsNotDone() {
        RunKit run = run(LaunchContextTest.JUDGED_TASK).touches("architect", signal("readiness: READY"), FILE, "b");

        assertThat(run.status()).isEqualTo(RunStatus.FAILED);
        assertThat(run.ended().summary())
                .isEqualTo("plan failed: architect was rejected: the step changed protected files: tests/a.txt, b;"
                        + " they are not set back");
    }

    @Test
    void theGlobsOfTheManifestAndOfTheAgentApply() {
        String agents = "protect: [tests/**]\n"
                + Manifests.loop("maxIterations: 9, until: {command: [check]}")
                        .replace("dev: {command: [dev],", "dev: {command: [dev], protect: [docs],");

        RunKit run = RunKit.started(agents);
        assertThat(protect(run)).containsExactly("tests/**");
        run.ends(StepSpecs.CHECK, exit(1));
        assertThat(protect(run)).containsExactly("tests/**", "docs");
        run.ends("dev", lasting("error_provider_auth", "model-missing"));
        assertThat(run.step("cheap").agent()).as("its fallback").isEqualTo("cheap");
        assertThat(protect(run)).containsExactly("tests/**", "docs");
    }

    private static List<String> protect(RunKit run) {
        return StepSpecs.of(run.state(), run.state().steps().values().iterator().next())
                .agentSpec()
                .loss()
                .protect();
    }
}
