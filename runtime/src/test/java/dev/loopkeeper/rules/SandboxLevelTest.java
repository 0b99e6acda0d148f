package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.step.StepSpec;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SandboxLevelTest {
    private static final String HELD = "landlock abi 7 + bubblewrap: write, hide";

    private final RunKit run = RunKit.started("""
            name: demo
            agents:
              dev: {command: [dev], sandbox: workspace}
            phases:
              - {name: build, loop: {steps: [dev], maxIterations: 2, until: {command: [make]}}}
            """);

    @Test
    void laterStepsKeepTheHighestLevelThatHeld() {
        assertThat(level()).isEmpty();

        endsAt(HELD);
        assertThat(level()).contains(HELD);
        endsAt("landlock abi 6: write, hide");

        assertThat(level()).contains(HELD);
    }

    private Optional<String> level() {
        StepSpec step = run.launched();
        return step.agentSpec().loss().sandbox().orElseThrow().atLeast();
    }

    private void endsAt(String level) {
        StepOutcome reported = StepEnd.exit(0).outcome(run.now(), "output " + level);
        StepOutcome.Exit exit = reported.exit();
        StepOutcome.Exit confined = new StepOutcome.Exit(
                exit.cause(),
                exit.pid(),
                exit.exitCode(),
                exit.startedAt(),
                exit.endedAt(),
                exit.diagnostic(),
                Optional.of(level));
        run.feed(new RunInput.StepEnded(
                run.now(),
                run.open().get(0),
                new StepOutcome(
                        confined,
                        reported.reading(),
                        reported.report(),
                        reported.outputMatched(),
                        reported.digests(),
                        reported.sweep(),
                        Optional.empty())));
    }
}
