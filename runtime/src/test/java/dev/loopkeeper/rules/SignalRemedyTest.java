package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.silent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.WireName;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.verdict.Determination;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalStatus;
import dev.loopkeeper.verdict.SignalVerdict;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an agent reads whose signal did not count. */
class SignalRemedyTest {
    @Test
    void theBlockSaysWhatTheFileMustHold() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5")
                        .replace("signal: judge.json", "signal: judge.json, nudge: 1"))
                .ends("dev", exit(0))
                .ends("judge", silent(SignalDetail.EMPTY));

        String block = ContextText.block(run.launched().context(), "/context.json");

        assertThat(block).contains("signal-invalid (empty)", "$LOOPKEEPER_SIGNAL", "LOOPKEEPER_SIGNAL_FILE");
        assertThat(Stream.of(Determination.values(), SignalVerdict.values(), SignalStatus.values())
                        .flatMap(Stream::of)
                        .map(value -> ((WireName) value).wire()))
                .allSatisfy(word -> assertThat(block).contains(word));
    }
}
