package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.ContextMode;
import dev.loopkeeper.manifest.ContinuationSpec;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.EscalateSpec;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LoopStep;
import dev.loopkeeper.manifest.LossSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.manifest.OnNodeLoss;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OnStalled;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.ReasonSpec;
import dev.loopkeeper.manifest.RetryPolicy;
import dev.loopkeeper.manifest.SessionMode;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.manifest.TaskPhase;
import dev.loopkeeper.manifest.Until;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SampleManifestTest {
    private final Manifest manifest = ManifestTexts.valid(ManifestTexts.sample());

    @Test
    void readsTheHead() {
        assertThat(manifest.name()).isEqualTo("fix-flaky-tests");
        assertThat(manifest.workspace()).isEqualTo(".");
        assertThat(manifest.env()).isEqualTo(Map.of("LANG", "C.UTF-8"));
        assertThat(manifest.vars()).isEmpty();
        assertThat(manifest.agents().keySet()).startsWith("dev", "judge", "dev-cheap");
    }

    @Test
    void readsAnAgentThatSaysAll() {
        assertThat(manifest.agents())
                .containsEntry(
                        "dev",
                        new AgentSpec(
                                new ProgramSpec(
                                        new CommandLine(
                                                List.of("claude", "-p", "--output-format", "stream-json", "--verbose"),
                                                false),
                                        Optional.of("prompts/dev.md"),
                                        OutputDialect.CLAUDE_CODE,
                                        Optional.of(".loopkeeper/dev.json"),
                                        Map.of("KEY", "value"),
                                        Optional.of("sub/folder"),
                                        Optional.empty()),
                                new StepLimits(
                                        new StopSpec("TERM", Duration.ofMillis(1500)),
                                        Optional.of(Duration.ofMinutes(45)),
                                        Optional.of(Duration.ofMinutes(10))),
                                List.of("dev-cheap"),
                                Optional.of(new EscalateSpec(2, "dev-strong")),
                                LossSpec.of(Containment.SESSION, OnRuntimeDeath.KEEP, OnNodeLoss.PAUSE),
                                new ContinuationSpec(ContextMode.APPEND, SessionMode.FRESH, Optional.empty(), 0),
                                Optional.empty()));
    }

    @Test
    void readsAnAgentThatLeavesAlmostAllOut() {
        assertThat(manifest.agents())
                .containsEntry(
                        "judge",
                        new AgentSpec(
                                new ProgramSpec(
                                        new CommandLine(List.of("./judge.sh"), true),
                                        Optional.empty(),
                                        OutputDialect.TEXT,
                                        Optional.of(".loopkeeper/judge.json"),
                                        Map.of(),
                                        Optional.empty(),
                                        Optional.empty()),
                                new StepLimits(StopSpec.DEFAULTS, Optional.empty(), Optional.empty()),
                                List.of(),
                                Optional.empty(),
                                LossSpec.of(Containment.SESSION, OnRuntimeDeath.KEEP, OnNodeLoss.PAUSE),
                                new ContinuationSpec(ContextMode.APPEND, SessionMode.FRESH, Optional.empty(), 0),
                                Optional.empty()));
    }

    @Test
    void readsThePhasesInTheirOrder() {
        assertThat(manifest.phases())
                .containsExactly(
                        new TaskPhase("review", "architect", true),
                        new LoopPhase(
                                "build",
                                20,
                                List.of(
                                        new LoopStep("dev", 1, false),
                                        new LoopStep("judge", 1, false),
                                        new LoopStep("reflection", 5, false),
                                        new LoopStep("reflection2", 1, true)),
                                new Until.Signal(),
                                OnStalled.CONTINUE,
                                0,
                                3,
                                true),
                        new EachPhase(
                                "frames",
                                List.of(
                                        new ItemSpec("f1", List.of(), Map.of()),
                                        new ItemSpec("f2", List.of("f1"), Map.of("shot", "7"))),
                                Optional.empty(),
                                List.of("generate", "audit"),
                                3,
                                2,
                                true),
                        new GatePhase("verify", "integration-tests", 1, true),
                        new TaskPhase("document", "documenter", false));
    }

    @Test
    void readsLimitsAndListeners() {
        assertThat(manifest.budget())
                .isEqualTo(new Budget(
                        OptionalDouble.of(25),
                        OptionalLong.of(2_000_000),
                        OptionalLong.of(400),
                        Optional.of(Duration.ofHours(8)),
                        0.8));
        assertThat(manifest.retry()).isEqualTo(RetryPolicy.DEFAULTS);
        assertThat(manifest.notifications())
                .containsExactly(
                        new NotifySpec(
                                Optional.of("http://127.0.0.1:9000/hook"),
                                Optional.empty(),
                                List.of("run.paused", "run.ended"),
                                Optional.of("HOOK_SECRET"),
                                Optional.empty(),
                                Map.of()),
                        new NotifySpec(
                                Optional.empty(),
                                Optional.of(new CommandLine(List.of("notify-send", "{{name}}", "{{summary}}"), false)),
                                List.of("run.paused"),
                                Optional.empty(),
                                Optional.empty(),
                                Map.of()));
        assertThat(manifest.reasons())
                .containsExactly(new ReasonSpec("licence-expired", "fatal", "Renew the licence."));
    }
}
