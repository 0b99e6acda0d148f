package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.step.BoundedText;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminalExhaustion;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EndFromOutsideTest {
    private static final StepEnd STOPPED = StepEnd.by(ExitCause.STOPPED);
    private static final String REASONS = """
            reasons: [{code: licence-expired, category: fatal, advice: Renew the licence.}]
            """;

    private static RunKit running() {
        return RunKit.started(REASONS + Manifests.loop("maxIterations: 5"));
    }

    @Test
    void stopsAgentsBeforeItRecordsTheCallersReason() {
        RunKit run = running().end("licence-expired", "the licence ran out\nat noon");
        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(run.commands(RunCommand.StopStep.class))
                .containsExactly(new RunCommand.StopStep("build.1.dev.1", false));

        run.ends("dev", STOPPED);

        assertThat(run.types()).containsExactly("step.finished", "terminal-exhaustion", "run.ended");
        assertThat(run.ended().reasonCode()).contains("licence-expired");
        assertThat(run.ended().category()).isEqualTo(Category.FATAL);
        assertThat(run.ended().summary()).isEqualTo("the licence ran out\nat noon");
        assertThat(run.ended().advice()).contains("Renew the licence.");
        TerminalExhaustion record = run.state().ledger().exhaustion().orElseThrow();
        assertThat(record.reasonCode()).isEqualTo("licence-expired");
        assertThat(record.summary()).isEqualTo("the licence ran out at noon");
        assertThat(record.qualifier()).contains("seat 7");
        assertThat(record.phase()).contains("build");
    }

    @Test
    void aRuntimeThatCrashesInBetweenContinuesTheEnd() {
        RunKit run = running().end("licence-expired", "no licence").crash();

        assertThat(run.commands(RunCommand.StopStep.class)).hasSize(1);
        run.ends("dev", STOPPED);
        assertThat(run.ended().reasonCode()).contains("licence-expired");
    }

    @Test
    void anEndDecidesBeforeAStopWhicheverCameFirst() {
        RunKit stopped = running().stop().end("licence-expired", "no licence").ends("dev", STOPPED);
        RunKit ended = running().end("licence-expired", "no licence").stop().ends("dev", STOPPED);

        assertThat(stopped.ended().reasonCode()).contains("licence-expired");
        assertThat(stopped.ended().alsoTriggered()).containsExactly("operator-stop");
        assertThat(ended.ended().reasonCode()).contains("licence-expired");
        assertThat(ended.ended().alsoTriggered()).containsExactly("operator-stop");
    }

    @Test
    void ofTwoEndsTheFirstDecidesAndTheSameOneAgainChangesNothing() {
        RunKit run = running().end("licence-expired", "no licence").end("licence-expired", "no licence");
        assertThat(run.types()).isEmpty();

        run.end("halted", "the office closes").ends("dev", STOPPED);

        assertThat(run.ended().reasonCode()).contains("licence-expired");
        assertThat(run.ended().alsoTriggered()).containsExactly("halted");
    }

    @Test
    void ofTwoEndsAFatalOneDecidesWhicheverCameFirst() {
        RunKit later = running().end("max-retries-exhausted", "no more tries").end("halted", "the office closes");
        RunKit sooner = running().end("halted", "the office closes").end("max-retries-exhausted", "no more tries");

        for (RunKit run : List.of(later.ends("dev", STOPPED), sooner.ends("dev", STOPPED))) {
            assertThat(run.ended().reasonCode()).contains("halted");
            assertThat(run.ended().alsoTriggered()).containsExactly("max-retries-exhausted");
        }
    }

    @Test
    void anEndIsNotHeldUpByWhatAHaltedRunStillCompletes() {
        RunKit run = RunKit.started("retry: {stopConditions: {maxConsecutiveFails: 1}}\n"
                        + Manifests.each("{id: f1}, {id: f2}", "concurrency: 2"))
                .ends("frames.f1.dev.1", exit(1))
                .end("halted", "the office closes");
        assertThat(run.commands(RunCommand.StopStep.class)).hasSize(1);

        run.ends("dev", STOPPED);

        assertThat(run.ended().reasonCode()).contains("halted");
        assertThat(run.ended().alsoTriggered()).containsExactly("CONSECUTIVE_FAILS");
    }

    @Test
    void anUnknownReasonIsRefusedWithTheNearestOne() {
        RunKit run = running().end("licence-expire", "no licence");

        assertThat(run.refused().code()).isEqualTo(RefusalCode.INVALID_REQUEST);
        assertThat(run.refused().message()).contains("did you mean licence-expired?");
        assertThat(run.refused().details()).containsEntry("path", "reason");
        assertThat(run.end("stop", "done").refused().message()).contains("'stop' is neither");
    }

    /** A stop takes a text of any length as well. */
    @Test
    void aLongTextIsCutAndTheRunEndsAllTheSame() {
        RunKit run = running().end("halted", "the office closes ".repeat(9_000)).ends("dev", STOPPED);

        assertThat(run.ended().reasonCode()).contains("halted");
        assertThat(run.ended().summary())
                .startsWith("the office closes the office closes")
                .endsWith("[loopkeeper: the rest is cut]");
        assertThat(BoundedText.bytes(run.ended().summary())).isLessThanOrEqualTo(BoundedText.MOST_BYTES);
    }

    static Stream<StandardReason> codes() {
        return Arrays.stream(StandardReason.values())
                .filter(reason -> reason.reasonCode().isPresent());
    }

    @ParameterizedTest
    @MethodSource("codes")
    void everyReasonOfTheTableMayBeGivenAndOvercome(StandardReason reason) {
        RunKit run = running()
                .end(reason.reasonCode().orElseThrow(), "as the caller says")
                .ends("dev", STOPPED);
        assertThat(run.subtype()).isEqualTo(reason.subtype());
        assertThat(run.ended().category()).isEqualTo(reason.category());

        Resume informed = Resume.plain().feedback("go on").acknowledge();
        run.resume(reason == StandardReason.THINKING_STARVED ? informed.force() : informed);

        assertThat(run.last().refusal()).isEqualTo(Optional.empty());
        assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
    }
}
