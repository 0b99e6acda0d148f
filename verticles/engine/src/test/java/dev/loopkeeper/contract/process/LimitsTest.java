package dev.loopkeeper.contract.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.AskChannels.LastAsked;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.process.tree.SupervisorHarness;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LimitsTest extends SupervisorHarness {
    private static final Duration LIMIT = Duration.ofMillis(400);
    /** A busy agent may have to wait for a busy machine. */
    private static final Duration PATIENT_LIMIT = Duration.ofSeconds(4);

    @Test
    void anAgentThatOverrunsItsHardLimitIsEnded() {
        Supervising runtime = supervisor();
        StepSpec step = step().shell("while :; do echo busy; sleep 0.05; done")
                .timeout(LIMIT)
                .build();
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.TIMEOUT);
        assertThat(Duration.between(exit.process().startedAt(), exit.process().endedAt()))
                .isGreaterThanOrEqualTo(LIMIT.minusMillis(20));
    }

    @Test
    void anAgentThatFallsSilentIsEndedAfterItsIdleLimit() {
        Supervising runtime = supervisor();
        StepSpec step =
                step().shell("echo hello; exec sleep 60").idleTimeout(LIMIT).build();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.IDLE);
    }

    @Test
    void anAgentThatOnlyReportsRetriesIsIdle() {
        Supervising runtime = supervisor();
        String waiting = "{\"type\":\"error\",\"message\":\"Reconnecting... waiting for network\"}";
        StepSpec step = step().shell("while :; do echo '" + waiting + "'; sleep 0.05; done")
                .output(OutputDialect.CODEX)
                .idleTimeout(LIMIT)
                .build();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.IDLE);
    }

    @Test
    void anAgentIsNotIdleWhileItWaitsForAPerson() {
        Supervising runtime = supervisor();
        AtomicInteger asked = new AtomicInteger();
        runtime.serve(AskChannels.LAST, question -> {
            boolean waits = asked.incrementAndGet() <= 3;
            Instant at = waits ? Instant.now() : Instant.EPOCH;
            return Future.succeededFuture(new LastAsked(question.runId(), question.stepId(), at));
        });
        StepSpec step = step().shell("exec sleep 60").idleTimeout(LIMIT).build();
        runtime.launch(step);

        assertThat(runtime.exitOf(step).process().cause()).isEqualTo(ExitCause.IDLE);
        assertThat(asked).hasValue(4);
    }

    @Test
    void outputKeepsAnAgentFromBeingIdle() {
        assertExitsUnaided("n=0; while [ $n -lt 50 ]; do echo $n; sleep 0.1; n=$((n + 1)); done");
    }

    @Test
    void aChangedWorkspaceKeepsAnAgentFromBeingIdle() {
        assertExitsUnaided("mkdir -p a/b; n=0; while [ $n -lt 50 ]; do echo $n >a/b/f; sleep 0.1; n=$((n + 1)); done");
    }

    private void assertExitsUnaided(String script) {
        Supervising runtime = supervisor();
        StepSpec step = step().shell(script).idleTimeout(PATIENT_LIMIT).build();
        runtime.launch(step);

        StepExited exit = runtime.exitOf(step);

        assertThat(exit.process().cause()).isEqualTo(ExitCause.EXITED);
        assertThat(Duration.between(exit.process().startedAt(), exit.process().endedAt()))
                .isGreaterThan(PATIENT_LIMIT);
    }
}
