package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static dev.loopkeeper.termination.ResumeAction.CONSULT_REFLECTION;
import static dev.loopkeeper.termination.ResumeAction.CONTINUE;
import static dev.loopkeeper.termination.ResumeAction.FINISH_LOOP;
import static dev.loopkeeper.termination.ResumeAction.REFINE_PLAN;
import static dev.loopkeeper.termination.ResumeAction.RETRY_ITERATION;
import static dev.loopkeeper.termination.ResumeAction.STOP_LOOP_NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.RunPaused;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.run.StopAsked;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.verdict.SignalDetail;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason to pause, with every action: those of the table do what they say, the others are refused. */
class PausesTest {
    private static final Map<PauseReason, Set<ResumeAction>> ALLOWED = Map.of(
            PauseReason.MISSING_SIGNALS, EnumSet.of(RETRY_ITERATION, CONTINUE, STOP_LOOP_NOW),
            PauseReason.USER_INPUT_NEEDED, EnumSet.of(CONTINUE, REFINE_PLAN, STOP_LOOP_NOW),
            PauseReason.ANOMALY, EnumSet.of(CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
            PauseReason.SCOPE_COMPLETE, EnumSet.of(FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN),
            PauseReason.CADENCE, EnumSet.of(CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
            PauseReason.OPERATOR, EnumSet.of(CONTINUE, FINISH_LOOP, STOP_LOOP_NOW, REFINE_PLAN, CONSULT_REFLECTION),
            PauseReason.PROVIDER_UNAVAILABLE, EnumSet.of(CONTINUE, RETRY_ITERATION, STOP_LOOP_NOW),
            PauseReason.SURVIVORS, EnumSet.of(CONTINUE, STOP_LOOP_NOW));

    /** A run of a loop, then a task, that pauses for this reason; a plan is paused before the loop. */
    private static RunKit paused(PauseReason reason) {
        RunKit run = RunKit.started("retry: {transient: {max: 0}}\n"
                + Manifests.phases(
                        "{name: plan, task: judge}",
                        Manifests.loopPhase("maxIterations: 5, pauseEvery: " + (reason == PauseReason.CADENCE ? 1 : 0))
                                .replace("dev", "cheap"),
                        "{name: end, task: audit}"));
        if (reason == PauseReason.SCOPE_COMPLETE) {
            return run.ends("judge", signal("readiness: SCOPE_COMPLETE"));
        }
        run.ends("judge", signal("readiness: READY"));
        return switch (reason) {
            case MISSING_SIGNALS -> run.ends("cheap", exit(0)).ends("judge", silent(SignalDetail.ABSENT));
            case USER_INPUT_NEEDED -> run.ends("cheap", signal("status: partial, userInputNeeded: true"));
            case ANOMALY -> run.ends("cheap", exit(0)).ends("judge", signal("determination: ANOMALY"));
            case CADENCE -> run.ends("cheap", exit(0)).ends("judge", signal("determination: PROGRESS"));
            case OPERATOR -> run.pause().ends("cheap", exit(0));
            case PROVIDER_UNAVAILABLE -> run.ends("cheap", provider(OptionalLong.empty()));
            case SURVIVORS -> run.ends("cheap", exit(0).leaving("12 sleeper"));
            case SCOPE_COMPLETE -> throw new AssertionError("it pauses before the loop");
        };
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(PauseReason.values())
                .flatMap(reason -> Arrays.stream(ResumeAction.values()).map(action -> Arguments.of(reason, action)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void anActionIsDoneOrRefusedWithWhatIsAllowed(PauseReason reason, ResumeAction action) {
        RunKit run = paused(reason);
        assertThat(run.paused().reason()).isEqualTo(reason);
        assertThat(EnumSet.copyOf(run.paused().allowedActions())).isEqualTo(ALLOWED.get(reason));

        run.resume(Resume.with(action).feedback("a word"));

        if (ALLOWED.get(reason).contains(action)) {
            assertThat(run.last().refusal()).isEmpty();
            assertThat(whatFollows(run)).isEqualTo(expected(reason, action));
        } else {
            assertThat(run.refused().code()).isEqualTo(RefusalCode.ACTION_NOT_ALLOWED);
            assertThat(run.allowed()).containsExactlyElementsOf(reason.allowedActions());
            assertThat(run.paused().reason()).isEqualTo(reason);
        }
    }

    private static String whatFollows(RunKit run) {
        if (!run.commands(RunCommand.Sweep.class).isEmpty()) {
            run.feed(new RunInput.Swept(run.now(), List.of(new StepSwept("build.1.cheap.1", 1, List.of(), List.of()))));
        }
        if (run.state().condition() instanceof Condition.Ended) {
            return run.subtype();
        }
        assertThat(run.launched().feedback()).isEqualTo("a word");
        return run.launched().stepId();
    }

    private static String expected(PauseReason reason, ResumeAction action) {
        String phase = reason == PauseReason.SCOPE_COMPLETE ? "plan" : "build";
        return switch (action) {
            case STOP_LOOP_NOW -> "error_operator_stop";
            case REFINE_PLAN -> phase + ".architect.1";
            case CONSULT_REFLECTION -> phase + ".reflection.1";
            case FINISH_LOOP -> phase.equals("plan") ? "build.1.cheap.1" : "end.audit.1";
            case RETRY_ITERATION -> "build.1.cheap.2";
            case CONTINUE ->
                switch (reason) {
                    case OPERATOR, SURVIVORS -> "build.1.judge.1";
                    case PROVIDER_UNAVAILABLE -> "build.1.cheap.1-2";
                    default -> "build.2.cheap.1";
                };
        };
    }

    @Test
    void afterTheArchitectTheRunContinues() {
        RunKit run = paused(PauseReason.CADENCE)
                .resume(Resume.with(REFINE_PLAN))
                .ends("architect", signal("status: completed"));

        assertThat(run.open()).containsExactly("build.2.cheap.1");
    }

    @Test
    void aConsultationWithoutAValidSignalReplacesNoStep() {
        StepEnd nonsense = signal("terminal: {reasonCode: moon-phase, summary: full}");
        RunKit loop = RunKit.started(Manifests.loop("maxIterations: 1"))
                .pause()
                .ends("dev", StepEnd.provider(OptionalLong.empty()))
                .resume(Resume.with(REFINE_PLAN))
                .ends("architect", nonsense)
                .resume(Resume.with(CONTINUE));
        RunKit task = RunKit.started(Manifests.phases("{name: plan, task: dev}", "{name: end, gate: audit}"))
                .pause()
                .ends("dev", StepEnd.provider(OptionalLong.empty()))
                .resume(Resume.with(REFINE_PLAN))
                .ends("architect", nonsense)
                .resume(Resume.with(CONTINUE));

        assertThat(loop.open()).containsExactly("build.1.dev.1-2");
        assertThat(task.open()).containsExactly("plan.dev.2");
    }

    @Test
    void afterTheReflectionItsRecommendationIsDone() {
        assertThat(afterReflection("recommendedAction: finish_loop").open()).containsExactly("end.audit.1");
        assertThat(afterReflection("recommendedAction: refine_plan").open()).containsExactly("build.architect.1");
        assertThat(afterReflection("recommendedAction: stop_loop_now").ended().summary())
                .isEqualTo("stopped as recommended by reflection during a pause");
        assertThat(afterReflection("recommendedAction: stop_loop_now").subtype())
                .isEqualTo("error_operator_stop");
        assertThat(afterReflection("keyConcern: none").open()).containsExactly("build.2.cheap.1");
    }

    @Test
    void aLoopThatIsFinishedSaysByWhom() {
        assertThat(afterReflection("recommendedAction: finish_loop")
                        .lastEvent(PhaseFinished.class)
                        .message())
                .isEqualTo("finished as recommended by reflection");
        assertThat(paused(PauseReason.ANOMALY)
                        .resume(Resume.with(FINISH_LOOP))
                        .lastEvent(PhaseFinished.class)
                        .message())
                .isEqualTo("finished by an operator");
    }

    @Test
    void aRecommendationThatThePauseForbidsMeansContinue() {
        assertThat(afterReflection("recommendedAction: retry_iteration").open()).containsExactly("build.2.cheap.1");
    }

    private static RunKit afterReflection(String fields) {
        return paused(PauseReason.ANOMALY)
                .resume(Resume.with(CONSULT_REFLECTION))
                .ends("reflection", signal("status: completed, " + fields));
    }

    @Test
    void aConsultationThatFailsLeavesThePauseAsItWas() {
        RunKit run = paused(PauseReason.ANOMALY)
                .resume(Resume.with(CONSULT_REFLECTION))
                .ends("reflection", silent(SignalDetail.ABSENT));

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
        assertThat(run.types()).contains("notice", "run.paused");
    }

    @Test
    void aConsultationThatHasNoSpaceOnTheDiskLeavesThePauseAsItWas() {
        RunKit run = paused(PauseReason.ANOMALY)
                .resume(Resume.with(CONSULT_REFLECTION))
                .ends("reflection", StepEnd.withoutDiskSpace());

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
    }

    @Test
    void anActionWithoutItsAgentIsNotAllowed() {
        RunKit run = RunKit.started(
                        Manifests.loop("pauseEvery: 1").replaceAll("(?m)^  (architect|reflection).*\\R", ""))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS"));

        assertThat(run.paused().allowedActions()).containsExactly(CONTINUE, FINISH_LOOP, STOP_LOOP_NOW);
        assertThat(run.resume(Resume.with(REFINE_PLAN)).allowed())
                .containsExactly(CONTINUE, FINISH_LOOP, STOP_LOOP_NOW);
        assertThat(run.resume(Resume.with(CONSULT_REFLECTION)).refused().code())
                .isEqualTo(RefusalCode.ACTION_NOT_ALLOWED);
    }

    @Test
    void aQuestionOfTheArchitectDoesNotCutAnIterationShort() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", signal("status: completed, recommendStop: true"))
                .resume(Resume.with(REFINE_PLAN))
                .ends("architect", signal("status: completed, userInputNeeded: true"))
                .resume(Resume.plain());

        assertThat(run.open()).containsExactly("build.1.judge.1");
    }

    @Test
    void aQuestionStopsTheStepsThatWouldHaveFollowed() {
        RunKit run = paused(PauseReason.USER_INPUT_NEEDED);

        assertThat(run.history()).filteredOn(StepStarted.class::isInstance).hasSize(2);
        assertThat(run.lastEvent(IterationFinished.class).result().counts()).isFalse();
        assertThat(run.state().ledger().statistics().itemsTotal()).isZero();
    }

    /** The answer was that there is nothing to resume, though a plain resume is taken. */
    @ParameterizedTest
    @EnumSource(value = ResumeAction.class, mode = EnumSource.Mode.EXCLUDE, names = "CONTINUE")
    void anAutomaticallyResumingRunAllowsContinueOnly(ResumeAction action) {
        RunKit waiting =
                RunKit.started(Manifests.loop("maxIterations: 5")).ends("dev", StepEnd.provider(OptionalLong.empty()));
        assertThat(waiting.status()).isEqualTo(RunStatus.WAITING);
        RunKit queued = RunKit.queued(Manifests.loop("maxIterations: 5"));

        for (RunKit run : List.of(waiting, queued)) {
            run.resume(Resume.with(action));
            assertThat(run.refused().code()).isEqualTo(RefusalCode.ACTION_NOT_ALLOWED);
            assertThat(run.refused().message())
                    .contains(action.wire(), run.status().wire());
            assertThat(run.allowed()).containsExactly(CONTINUE);
            assertThat(run.resume(Resume.with(CONTINUE)).open()).hasSize(1);
        }
    }

    /** It was reported as paused since it was asked to, while its step continued. */
    @Test
    void aRunIsPausedSinceNothingOfItRunsAnyMore() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5")).pause();
        run.later(Duration.ofHours(2)).ends("dev", exit(0));

        assertThat(run.paused().since()).isEqualTo(run.now());
        assertThat(run.lastEvent(RunPaused.class).pause()).isEqualTo(run.paused());
        assertThat(run.state().pauses()).isEmpty();
    }

    @Test
    void onePauseAfterTheOtherHoldsARunSinceItIsSeen() {
        StepEnd asks = signal("status: partial, userInputNeeded: true");
        RunKit run = RunKit.started(Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .inTurn(asks, "frames.f1.dev.1", "frames.f2.dev.1");
        assertThat(run.paused().stepId()).contains("frames.f1.dev.1");

        run.later(Duration.ofHours(2)).resume(Resume.plain());

        assertThat(run.paused().stepId()).contains("frames.f2.dev.1");
        assertThat(run.paused().since()).isEqualTo(run.now());
    }

    @Test
    void anOperatorsPauseWaitsForTheNextLaunchOnly() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .pause()
                .ends("judge", signal("determination: SUCCESS"));

        assertThat(run.subtype()).isEqualTo("stop");
    }

    @Test
    void finishingALoopThatIsBehindTheRunSkipsNothing() {
        RunKit run = RunKit.started(
                        Manifests.phases(Manifests.loopPhase("maxIterations: 5"), "{name: end, task: audit}"))
                .ends("dev", exit(0))
                .pause()
                .ends("judge", signal("determination: SUCCESS"))
                .resume(Resume.with(FINISH_LOOP));

        assertThat(run.open()).containsExactly("end.audit.1");
    }

    @Test
    void whatAPersonSaysWithAStopIsRecordedAndReachesTheNextStep() {
        RunKit run =
                paused(PauseReason.CADENCE).resume(Resume.with(STOP_LOOP_NOW).feedback("wrong branch"));

        assertThat(run.lastEvent(StopAsked.class).feedback()).contains("wrong branch");
        assertThat(run.ended().summary()).isEqualTo("stopped by an operator during a pause: wrong branch");
        assertThat(run.resume(Resume.plain()).launched().feedback()).isEqualTo("wrong branch");
    }

    @Test
    void aPlainResumeContinuesWhereThatIsAllowed() {
        assertThat(paused(PauseReason.CADENCE).resume(Resume.plain()).open()).containsExactly("build.2.cheap.1");
        assertThat(paused(PauseReason.SCOPE_COMPLETE).resume(Resume.plain()).open())
                .containsExactly("build.1.cheap.1");
    }

    @Test
    void aPauseIsRefusedWhereNothingRuns() {
        for (RunKit run : List.of(
                paused(PauseReason.CADENCE),
                RunKit.queued(Manifests.loop("maxIterations: 1")),
                paused(PauseReason.CADENCE).stop())) {
            assertThat(run.pause().refused().code()).isEqualTo(RefusalCode.NOT_PAUSABLE);
        }
    }
}
