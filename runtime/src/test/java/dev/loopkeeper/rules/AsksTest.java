package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.provider;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.RunView;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.AskClosed;
import dev.loopkeeper.run.AskOpened;
import dev.loopkeeper.run.step.Ask;
import dev.loopkeeper.run.step.AskOutcome;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.view.OpenAsk;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions of running steps: each is closed once, and only open ones need a person. */
class AsksTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static RunKit asking() {
        return loop().asks("dev", "Which one?", "the first", "the second");
    }

    private static RunKit loop() {
        return RunKit.started(Manifests.loop("maxIterations: 5"));
    }

    private static RunKit items() {
        return RunKit.started("retry: {backoff: {initial: 10s, jitter: 0}}\n"
                + Manifests.phases(
                        "{name: frames, each: {steps: [dev], items: [{id: f1}, {id: f2}], " + "concurrency: 2}}"));
    }

    private static Ask only(RunKit run) {
        assertThat(run.state().openAsks()).hasSize(1);
        return run.state().openAsks().get(0);
    }

    private static RunKit ask(RunKit run, String key, String question, List<String> choices, Duration patience) {
        return run.feed(new RunInput.Ask(run.now(), "build.1.dev.1", key, question, choices, patience));
    }

    @Test
    void anOpenAskIsInTheRunAndNeedsAPerson() {
        RunKit run = asking();

        AskOpened opened = run.lastEvent(AskOpened.class);
        assertThat(opened.by()).isEqualTo("agent build.1.dev.1");
        assertThat(opened.until()).isEqualTo(run.now().plus(PATIENCE));
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(opened.until()));
        Run view = RunView.of(run.state());
        assertThat(view.asks())
                .containsExactly(new OpenAsk(
                        opened.askId(), "build.1.dev.1", "Which one?", List.of("the first", "the second"), run.now()));
        assertThat(view.needsAttention()).isTrue();
    }

    @Test
    void theFirstAnswerOfFiveCounts() {
        RunKit run = asking();
        String askId = only(run).askId();

        run.answers(askId, "the first", "alice");

        assertThat(run.lastEvent(AskClosed.class).outcome()).isEqualTo(AskOutcome.ANSWERED);
        assertThat(run.lastEvent(AskClosed.class).by()).contains("alice");
        assertThat(RunView.of(run.state()).needsAttention()).isFalse();
        for (int other = 2; other <= 5; other++) {
            run.answers(askId, "number " + other, "bob");
            assertThat(run.refused().code()).isEqualTo(RefusalCode.ALREADY_ANSWERED);
            assertThat(run.refused().details()).containsEntry("by", "alice");
        }
        assertThat(run.state().asks().get(0).closed().orElseThrow().answer()).contains("the first");
    }

    @Test
    void aRepeatedCommandIsTheSameAsk() {
        RunKit run = ask(loop(), "k1", "Which one?", List.of(), PATIENCE);
        String askId = only(run).askId();

        ask(run, "k1", "Which one?", List.of(), PATIENCE);

        assertThat(run.types()).isEmpty();
        assertThat(only(run).askId()).isEqualTo(askId);
        run.answers("the first");
        ask(run, "k1", "Which one?", List.of(), PATIENCE);
        assertThat(run.types()).isEmpty();
    }

    @Test
    void anAskIsClosedWhenItsTimeIsOver() {
        RunKit run = asking().later(PATIENCE.minusSeconds(2)).timer();
        assertThat(run.types()).isEmpty();
        String askId = only(run).askId();

        run.timer();

        assertThat(run.lastEvent(AskClosed.class).outcome()).isEqualTo(AskOutcome.TIMEOUT);
        assertThat(run.open()).containsExactly("build.1.dev.1");
        run.answers(askId, "too late", "alice");
        assertThat(run.refused().code()).isEqualTo(RefusalCode.ASK_CLOSED);
        assertThat(run.refused().details()).containsEntry("outcome", "timeout");
    }

    @Test
    void theEndOfItsStepClosesAnAskBeforeTheStepIsFinished() {
        RunKit run = asking();
        String askId = only(run).askId();

        run.ends("dev", exit(0));

        assertThat(run.types()).startsWith("ask.closed", "step.finished");
        assertThat(run.lastEvent(AskClosed.class).outcome()).isEqualTo(AskOutcome.STEP_ENDED);
        run.answers(askId, "too late", "alice");
        assertThat(run.refused().code()).isEqualTo(RefusalCode.ASK_CLOSED);
    }

    @Test
    void whoAnsweredIsKnownAfterTheStepAndAfterTheRun() {
        RunKit run = asking();
        String askId = only(run).askId();
        run.answers("the first").ends("dev", exit(0)).stop();

        run.answers(askId, "again", "bob");

        assertThat(run.refused().details()).containsEntry("by", "alice");
        assertThat(run.state().asks().get(0).closed().orElseThrow().answer()).isEmpty();
    }

    @Test
    void aRestartWaitsForTheSameTime() {
        RunKit run = asking();
        Instant until = only(run).until();

        run.crash();

        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(until));
    }

    @Test
    void theRunWakesForItsNextAskOrRetryWhicheverIsSooner() {
        RunKit run = items().asks("frames.f1.dev.1", "First?");
        Instant first = only(run).until();

        run.later(Duration.ofSeconds(20)).asks("frames.f2.dev.1", "Second?");
        assertThat(run.commands(RunCommand.WakeAt.class)).containsExactly(new RunCommand.WakeAt(first));

        run.ends("frames.f1.dev.1", provider(OptionalLong.of(60_000)));
        assertThat(run.commands(RunCommand.WakeAt.class))
                .hasSize(1)
                .first()
                .satisfies(wake -> assertThat(wake.due()).isBefore(only(run).until()));
    }

    @Test
    void aStopStillWakesForOpenAsks() {
        RunKit run = asking().asks("dev", "Another?");
        run.stop(StopCause.OPERATOR, false).later(PATIENCE);

        run.timer();

        assertThat(run.types()).containsExactly("ask.closed", "ask.closed");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 5, 0, invalid-request",
        "Which?, 0, 0, invalid-request",
        "Which?, 1441, 0, invalid-request",
        "Which?, 1440, 0, ",
        "Which?, 5, 65530, ",
        "Which?, 5, 65531, body-too-large"
    })
    void badAsksAreRefused(String question, int minutes, int choice, String code) {
        List<String> choices = choice == 0 ? List.of() : List.of("c".repeat(choice));

        RunKit run = ask(loop(), "k1", question, choices, Duration.ofMinutes(minutes));

        assertThat(run.last().refusal().map(refusal -> refusal.code().wire()).orElse(null))
                .isEqualTo(code);
    }

    @Test
    void choicesThatRepeatAreRefused() {
        RunKit run = ask(loop(), "k1", "Which?", List.of("a", "b", "a"), PATIENCE);

        assertThat(run.refused().message()).contains("twice");
    }

    @ParameterizedTest
    @CsvSource({"0, invalid-request", "65536, ", "65537, body-too-large"})
    void badAnswersAreRefusedAndTheAskStaysOpen(int length, String code) {
        RunKit run = asking().answers("a".repeat(length));

        assertThat(run.last().refusal().map(refusal -> refusal.code().wire()).orElse(null))
                .isEqualTo(code);
        assertThat(run.state().openAsks()).hasSize(code == null ? 0 : 1);
    }

    @Test
    void openAndClosedAsksAreBounded() {
        RunKit run = loop();
        for (int count = 0; count < Ask.MOST_OPEN; count++) {
            run.asks("dev", "Question " + count);
        }
        run.asks("dev", "One more");
        assertThat(run.refused().code()).isEqualTo(RefusalCode.TOO_MANY_REQUESTS);

        for (int count = 0; count < 2 * Ask.MOST_CLOSED; count++) {
            run.answers("yes").asks("dev", "Again " + count);
        }

        assertThat(run.state().asks()).hasSize(Ask.MOST_OPEN + Ask.MOST_CLOSED);
        assertThat(run.state().openAsks()).hasSize(Ask.MOST_OPEN);
    }
}
