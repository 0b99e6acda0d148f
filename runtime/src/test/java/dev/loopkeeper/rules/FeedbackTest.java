package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.StateJson;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A person's feedback reaches the work that it answers, and none is lost before a launch received it. */
class FeedbackTest {
    private static final StepEnd APPROVED = signal("verdict: approved");
    private static final StepEnd ASKS = signal("status: partial, userInputNeeded: true, questions: [which]");
    private static final StepEnd SILENT = silent(SignalDetail.ABSENT);
    private static final String LENIENT =
            "retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0, maxRetryRate: 0}}\n";

    /** Three items at once, and a gate after them. */
    private static RunKit three(String steps) {
        return RunKit.started(LENIENT
                + Manifests.phases(
                        "{name: frames, each: {steps: [" + steps
                                + "], items: [{id: a}, {id: b}, {id: c}], concurrency: 3}}",
                        "{name: verify, gate: audit, retries: 1}"));
    }

    private static RunKit threeThat(StepEnd end) {
        return three("dev, judge")
                .ends("frames.a.dev.1", end)
                .ends("frames.b.dev.1", end)
                .ends("frames.c.dev.1", end);
    }

    private static RunKit answered(RunKit run, Resume how, String... answers) {
        Stream.of(answers).forEach(answer -> run.resume(how.feedback(answer)));
        return run;
    }

    /** Step and feedback of each launch of the last decision; the context agrees with the input. */
    private static List<String> launches(RunKit run) {
        return run.commands(RunCommand.Launch.class).stream()
                .map(RunCommand.Launch::step)
                .map(FeedbackTest::launch)
                .toList();
    }

    private static String launch(StepSpec step) {
        String feedback = step.feedback();
        assertThat(step.context().feedback().orElse("")).isEqualTo(feedback);
        return step.identity().stepId() + ": " + feedback;
    }

    /** The answers of all items but the last were lost, and each item got the last one. */
    @Test
    void eachItemGetsTheAnswerToItsOwnQuestion() {
        RunKit run = answered(threeThat(ASKS), Resume.plain(), "1", "2", "3");

        assertThat(launches(run)).containsExactly("frames.a.dev.1-2: 1", "frames.b.dev.1-2: 2", "frames.c.dev.1-2: 3");
        assertThat(launches(run.ends("frames.b.dev.1-2", exit(0)))).containsExactly("frames.b.judge.1: 2");
        assertThat(launches(run.ends("frames.b.judge.1", signal("verdict: rejected"))))
                .containsExactly("frames.b.dev.2: 2");
    }

    @Test
    void anAnswerSurvivesACrashBetweenThePauses() {
        RunKit run = answered(threeThat(ASKS), Resume.plain(), "1", "2").crash();
        assertThat(StateJson.read(StateJson.write(run.state()))).isEqualTo(run.state());

        assertThat(launches(run.resume(Resume.plain().feedback("3")).crash()))
                .extracting(launch -> launch.substring(launch.indexOf(':')))
                .containsExactly(": 1", ": 2", ": 3");
    }

    @Test
    void anItemWithoutAnAnswerGetsTheFeedbackToTheRun() {
        RunKit run = three("dev, judge").stop(StopCause.OPERATOR, true);
        run.ends("frames.a.dev.1", exit(0)).ends("frames.b.dev.1", exit(0)).ends("frames.c.dev.1", exit(0));
        run.resume(Resume.plain().feedback("all"));
        run.ends("frames.a.judge.1", ASKS).ends("frames.b.judge.1", ASKS).ends("frames.c.judge.1", APPROVED);
        answered(run, Resume.plain(), "1");
        run.resume(Resume.plain());

        assertThat(launches(run)).containsExactly("frames.a.dev.1-2: 1", "frames.b.dev.1-2: all");
    }

    @Test
    void laterFeedbackToTheRunReplacesAnswersThatALaunchReceived() {
        RunKit run = answered(threeThat(ASKS), Resume.plain(), "1", "2", "3");
        run.stop(StopCause.OPERATOR, true);
        run.ends("frames.a.dev.1-2", exit(0)).ends("frames.b.dev.1-2", exit(0)).ends("frames.c.dev.1-2", exit(0));

        assertThat(launches(run.resume(Resume.plain().feedback("all"))))
                .containsExactly("frames.a.judge.1: all", "frames.b.judge.1: all", "frames.c.judge.1: all");
    }

    @Test
    void laterFeedbackToTheRunIsAddedToAnswersThatNoLaunchReceived() {
        RunKit run = answered(threeThat(ASKS), Resume.plain(), "1");
        run.resume(Resume.with(ResumeAction.STOP_LOOP_NOW).feedback("wrong branch"));

        assertThat(launches(run.resume(Resume.plain().feedback("use main"))))
                .containsExactly(
                        "frames.a.dev.1-2: 1\n\nwrong branch\n\nuse main",
                        "frames.b.dev.1-2: wrong branch\n\nuse main",
                        "frames.c.dev.1-2: wrong branch\n\nuse main");
    }

    /** The item launches nothing more, so its feedback goes to the next step of the run. */
    @Test
    void feedbackToAnItemWithoutFurtherStepsReachesTheNextStep() {
        RunKit run = three("dev")
                .ends("frames.a.dev.1", SILENT)
                .ends("frames.b.dev.1", SILENT)
                .ends("frames.c.dev.1", SILENT);
        answered(run, Resume.with(ResumeAction.CONTINUE), "1", "2", "3");

        assertThat(launches(run)).containsExactly("verify.audit.1: 1\n\n2\n\n3");
    }

    @Test
    void feedbackToAnItemWithoutFurtherStepsLeavesTheAnswersOfOthers() {
        RunKit run = three("dev")
                .ends("frames.b.dev.1", ASKS)
                .ends("frames.a.dev.1", SILENT)
                .ends("frames.c.dev.1", exit(0));
        answered(run, Resume.with(ResumeAction.CONTINUE), "to b", "to a");
        assertThat(launches(run)).containsExactly("frames.b.dev.1-2: to b");

        RunKit delivered = three("dev, judge")
                .ends("frames.b.dev.1", ASKS)
                .ends("frames.a.dev.1", exit(0))
                .ends("frames.c.dev.1", exit(0))
                .resume(Resume.with(ResumeAction.CONTINUE).feedback("to b"))
                .ends("frames.a.judge.1", SILENT)
                .ends("frames.c.judge.1", exit(0))
                .ends("frames.b.dev.1-2", exit(0))
                .resume(Resume.with(ResumeAction.CONTINUE).feedback("to a"));
        assertThat(launches(delivered)).containsExactly("frames.b.judge.1: to b");
    }

    @Test
    void feedbackToAnItemWithFurtherStepsStaysWithIt() {
        RunKit run = answered(threeThat(SILENT), Resume.with(ResumeAction.CONTINUE), "1", "2", "3");

        assertThat(launches(run)).containsExactly("frames.a.judge.1: 1", "frames.b.judge.1: 2", "frames.c.judge.1: 3");
    }

    @Test
    void aRetryOfAnItemGetsItsFeedback() {
        RunKit run = answered(threeThat(SILENT), Resume.with(ResumeAction.RETRY_ITERATION), "1", "2", "3");

        assertThat(launches(run)).containsExactly("frames.a.dev.1-2: 1", "frames.b.dev.1-2: 2", "frames.c.dev.1-2: 3");
    }

    @Test
    void feedbackThatFinishesThePhaseReachesTheNextPhase() {
        RunKit run = RunKit.started(Manifests.phases(
                        "{name: frames, each: {steps: [dev], items: [{id: a}]}}", "{name: verify, gate: audit}"))
                .ends("dev", signal("verdict: approved, recommendStop: true"))
                .resume(Resume.with(ResumeAction.FINISH_LOOP).feedback("enough"));

        assertThat(launches(run)).containsExactly("verify.audit.1: enough");
    }

    @Test
    void aConsultedAgentAndThenTheItemGetTheFeedback() {
        RunKit run = three("dev, judge")
                .ends("frames.a.dev.1", ASKS)
                .ends("frames.b.dev.1", exit(0))
                .ends("frames.c.dev.1", exit(0))
                .resume(Resume.with(ResumeAction.REFINE_PLAN).feedback("1"));

        assertThat(launches(run)).containsExactly("frames.architect.1: 1");
        assertThat(launches(run.ends("architect", exit(0))))
                .containsExactly("frames.a.dev.1-2: 1", "frames.b.judge.1: ", "frames.c.judge.1: ");
    }

    @Test
    void anAnswerAppliesToTheItemWhenAGateRepeatsThePhase() {
        RunKit run = three("dev")
                .ends("frames.a.dev.1", ASKS)
                .ends("frames.b.dev.1", exit(0))
                .ends("frames.c.dev.1", exit(0))
                .resume(Resume.plain().feedback("1"))
                .ends("dev", exit(0))
                .ends("audit", exit(1));

        assertThat(launches(run))
                .hasSize(3)
                .anyMatch(launch -> launch.startsWith("frames.a.") && launch.endsWith(": 1"))
                .anyMatch(launch -> launch.startsWith("frames.b.") && launch.endsWith(": "));
    }
}
