package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.LaunchContextTest.EACH;
import static dev.loopkeeper.rules.LaunchContextTest.JUDGED_TASK;
import static dev.loopkeeper.rules.LaunchContextTest.LOOP;
import static dev.loopkeeper.rules.LaunchContextTest.RED;
import static dev.loopkeeper.rules.LaunchContextTest.STALLED;
import static dev.loopkeeper.rules.LaunchContextTest.context;
import static dev.loopkeeper.rules.LaunchContextTest.iteration;
import static dev.loopkeeper.rules.LaunchContextTest.ladder;
import static dev.loopkeeper.rules.LaunchContextTest.missing;
import static dev.loopkeeper.rules.LaunchContextTest.onEverySurface;
import static dev.loopkeeper.rules.LaunchContextTest.row;
import static dev.loopkeeper.rules.LaunchContextTest.run;
import static dev.loopkeeper.rules.LaunchContextTest.stopped;
import static dev.loopkeeper.rules.LaunchContextTest.waited;
import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which reason a retry learns of when several tries failed, one after another. */
class NewReasonsTest {
    /** Kind, message and step of the failure that the one open step learns of. */
    static Stream<Arguments> newReasons() {
        return Stream.of(
                row(
                        "loop: an anomaly after an anomaly",
                        () -> anomalyTwice().resume(Resume.plain()),
                        "anomaly second build.2.judge.1"),
                row(
                        "loop: an anomaly after an anomaly, consulted",
                        () -> anomalyTwice().resume(Resume.with(ResumeAction.CONSULT_REFLECTION)),
                        "anomaly second build.2.judge.1"),
                row(
                        "loop: an anomaly after a pause in the same iteration",
                        () -> run(Manifests.phases("{name: build, loop: {steps: [dev, judge], maxIterations: 9}}"))
                                .ends("dev", signal("determination: PROGRESS, recommendStop: true, keyConcern: first"))
                                .resume(Resume.plain())
                                .ends("judge", signal("determination: ANOMALY, keyConcern: second"))
                                .resume(Resume.plain()),
                        "anomaly second build.1.judge.1"),
                row(
                        "loop: another invalid signal",
                        () -> again(again(missing(SignalDetail.SCHEMA_INVALID))
                                .ends("dev", exit(0))
                                .ends("judge", silent(SignalDetail.EMPTY))),
                        "signal-invalid judge.json: the signal is empty build.1.judge.2"),
                row(
                        "loop: a stale signal twice",
                        () -> again(again(missing(SignalDetail.STALE))
                                        .ends("dev", exit(0))
                                        .ends("judge", silent(SignalDetail.STALE)))
                                .ends("dev", exit(0)),
                        "signal-invalid judge.json: the signal is stale build.1.judge.2"),
                row(
                        "loop: an invalid signal after a kill",
                        () -> again(again(killed()).ends("dev", exit(0)).ends("judge", silent(SignalDetail.EMPTY))),
                        "signal-invalid judge.json: the signal is empty build.1.judge.2"),
                row(
                        "loop: an invalid signal after a kill, stopped in the pause",
                        () -> again(killed())
                                .ends("dev", exit(0))
                                .ends("judge", silent(SignalDetail.EMPTY))
                                .resume(Resume.with(ResumeAction.STOP_LOOP_NOW))
                                .resume(Resume.plain()),
                        "signal-invalid judge.json: the signal is empty build.1.judge.2"),
                row(
                        "loop: a stop after a kill",
                        () -> stopped(again(killed())).resume(Resume.plain()).ends("dev", exit(0)),
                        "interrupted the run was stopped build.1.dev.2"),
                row(
                        "loop: a wait after a kill",
                        () -> ladder(again(killed())).ends("dev", exit(0)),
                        "interrupted an operator killed the step build.1.judge.1"),
                row(
                        "loop: a stop of an iteration after a stalled one",
                        () -> stopped(iteration(exit(0), STALLED))
                                .resume(Resume.plain())
                                .ends("dev", exit(0)),
                        "rejected header row lost build.1.judge.1"),
                row(
                        "item: another invalid signal",
                        () -> again(again(run(EACH).ends("dev", exit(0)).ends("audit", silent(SignalDetail.MALFORMED)))
                                .ends("dev", exit(0))
                                .ends("audit", silent(SignalDetail.EMPTY))),
                        "signal-invalid audit.json: the signal is empty frames.f1.audit.1-2"),
                row(
                        "task: not ready after an anomaly",
                        () -> oddTask()
                                .ends("architect", signal("readiness: BLOCKED, gaps: [a, b]"))
                                .resume(Resume.plain()),
                        "anomaly a; b plan.architect.2"),
                row(
                        "task: not ready after an anomaly and a wait",
                        () -> waited(oddTask(), "architect")
                                .ends("architect", signal("readiness: BLOCKED, gaps: [a, b]"))
                                .resume(Resume.plain()),
                        "anomaly a; b plan.architect.2-2"),
                row(
                        "task: failed after an anomaly",
                        () -> oddTask().ends("architect", RED).resume(Resume.plain()),
                        "step-failed exit 3 plan.architect.2"),
                row(
                        "task: an anomaly, stopped in the pause",
                        () -> run(JUDGED_TASK)
                                .ends("architect", signal("determination: ANOMALY, keyConcern: odd"))
                                .resume(Resume.with(ResumeAction.STOP_LOOP_NOW))
                                .resume(Resume.plain()),
                        "anomaly odd plan.architect.1"),
                row(
                        "task: rejected",
                        () -> judgedTask("verdict: rejected, keyConcern: nah"),
                        "rejected nah plan.architect.1"),
                row(
                        "task: failed by a verdict",
                        () -> judgedTask("verdict: failed, keyConcern: nah"),
                        "rejected nah plan.architect.1"),
                row(
                        "task: stalled",
                        () -> judgedTask("determination: STALLED"),
                        "rejected the task was STALLED plan.architect.1"),
                row(
                        "task: rejected after an anomaly",
                        () -> oddTask()
                                .ends("architect", signal("verdict: rejected, keyConcern: nah"))
                                .resume(Resume.plain()),
                        "rejected nah plan.architect.2"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("newReasons")
    void aNewReasonReplacesTheReasonOfTheTryBefore(String what, Supplier<RunKit> history, String expected) {
        RunKit run = history.get();
        Failure why = context(run).failure().orElseThrow();

        assertThat(why.kind().wire() + " " + why.message().replace("\n", "; ") + " "
                        + why.stepId().orElseThrow())
                .isEqualTo(expected);
        onEverySurface(run);
    }

    @ParameterizedTest
    @EnumSource(
            value = ResumeAction.class,
            names = {"RETRY_ITERATION", "CONTINUE"})
    void everyMissingSignalIsReportedWithTheExitCode(ResumeAction action) {
        RunKit run = missing(SignalDetail.EMPTY);
        for (int time = 0; time < 2; time++) {
            run.resume(Resume.with(action));
            Failure why = context(run).failure().orElseThrow();
            assertThat(why.exitCode()).hasValue(0);
            run.ends("dev", exit(0)).ends("judge", silent(SignalDetail.EMPTY));
        }
    }

    private static RunKit again(RunKit paused) {
        return paused.resume(Resume.with(ResumeAction.RETRY_ITERATION));
    }

    private static RunKit anomalyTwice() {
        return run(Manifests.phases("{name: build, loop: {steps: [judge], maxIterations: 9, noProgress: 0}}"))
                .ends("judge", signal("determination: ANOMALY, keyConcern: first"))
                .resume(Resume.plain())
                .ends("judge", signal("determination: PROGRESS, recommendStop: true, keyConcern: second"));
    }

    private static RunKit killed() {
        return run(LOOP)
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.ABSENT).causedBy(ExitCause.KILLED));
    }

    private static RunKit oddTask() {
        return run(JUDGED_TASK)
                .ends("architect", signal("determination: ANOMALY, keyConcern: odd"))
                .resume(Resume.plain());
    }

    private static RunKit judgedTask(String signal) {
        return run(JUDGED_TASK).ends("architect", signal(signal)).resume(Resume.plain());
    }
}
