package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A prompt that became unusable after the run was submitted. */
class BadPromptsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: only, task: dev}",
                "{name: only, critical: false, task: dev}",
                "{name: only, loop: {steps: [dev]}}",
                "{name: only, critical: false, loop: {steps: [dev]}}",
                "{name: only, each: {steps: [dev], items: [{id: f1}]}}",
                "{name: only, critical: false, each: {steps: [dev], items: [{id: f1}]}}"
            })
    void pausesWhateverThePhaseMakesOfFailuresAndIsLaunchedAgain(String phase) {
        RunKit run = RunKit.started(Manifests.phases(phase));
        String first = run.open().get(0);
        run.ends("dev", StepEnd.withoutPrompt());

        assertThat(run.paused().reason()).isEqualTo(PauseReason.ANOMALY);
        assertThat(run.paused().message())
                .isEqualTo("dev: prompt dev.md cannot be used: line 3: unknown name {{shoot}}");
        assertThat(run.paused().stepId()).contains(first);
        var error = run.lastEvent(StepFinished.class).result().errorContext().orElseThrow();
        assertThat(error.kind()).isEqualTo("bad-prompt");
        assertThat(error.category().wire()).isEqualTo("session-failed");
        assertThat(run.resume(Resume.with(ResumeAction.CONTINUE))
                        .launched()
                        .identity()
                        .agent())
                .isEqualTo("dev");
    }

    @Test
    void nothingThatWasDoneIsDoneAgain() {
        RunKit run = RunKit.started(Manifests.loop("maxIterations: 5"))
                .ends("dev", exit(0))
                .ends("judge", signal("determination: PROGRESS"))
                .ends("dev", exit(0))
                .ends("judge", StepEnd.withoutPrompt())
                .resume(Resume.with(ResumeAction.CONTINUE));

        assertThat(run.launched().stepId()).startsWith("build.2.judge.1");
        assertThat(run.ends("judge", signal("determination: SUCCESS")).subtype())
                .isEqualTo("stop");
    }

    /** In a prompt for all items, what only some of them have is no mistake. */
    @Test
    void whatOnlyAnotherItemHasIsEmpty() {
        StepSpec step = RunKit.started(
                        "name: demo\nvars: {title: t}\nagents: {dev: {command: \"true\", prompt: dev.md}}\n"
                                + "phases: [{name: only, each: {steps: [dev],"
                                + " items: [{id: f1, vars: {title: own}}, {id: f2, vars: {shot: 7}}]}}]")
                .launched();

        assertThat(step.vars())
                .containsOnlyKeys("title", "shot")
                .containsEntry("title", "own")
                .containsEntry("shot", "");
    }
}
