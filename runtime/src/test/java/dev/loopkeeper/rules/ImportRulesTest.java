package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EventTypes;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.Pause;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImportRulesTest {
    private static final Map<String, RunState> STATES = RestingRuns.states();

    @Test
    void anEndedRunIsTakenAsItIs() {
        Decision decision = ImportRules.decide(STATES.get("gate-hard-fail"), RunKit.BEGIN);

        assertThat(decision.refusal()).isEmpty();
        assertThat(decision.events()).isEmpty();
        assertThat(decision.commands()).isEmpty();
    }

    @Test
    void anAutomaticallyResumingRunWaitsForAPerson() {
        RunState paused = STATES.get("paused-provider");

        Decision decision = ImportRules.decide(paused, RunKit.BEGIN.plus(Duration.ofDays(1)));

        assertThat(decision.events()).extracting(EventTypes::of).containsExactly("notice", "run.paused");
        assertThat(decision.commands()).isEmpty();
        Pause after = ((Condition.Paused) decision.state().condition()).pause();
        assertThat(after.resumeAt()).isEmpty();
        assertThat(after.allowedActions())
                .isEqualTo(((Condition.Paused) paused.condition()).pause().allowedActions());
        RunInput recovery = new RunInput.Recover(RunKit.BEGIN.plus(Duration.ofDays(2)));
        assertThat(RunMachine.decide(decision.state(), recovery).commands()).isEmpty();
    }

    @Test
    void aRunThatIsUnderWayIsRefused() {
        Decision decision = ImportRules.decide(STATES.get("waiting"), RunKit.BEGIN);

        assertThat(decision.refusal().orElseThrow().message()).contains("waiting");
        assertThat(decision.events()).isEmpty();
    }
}
