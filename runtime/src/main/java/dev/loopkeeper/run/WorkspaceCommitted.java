package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.GitText;
import dev.loopkeeper.run.git.ItemBranch;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.StepPosition;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code workspace.committed}: a step's changes are committed, durable in git.
 *
 * @param item whose branch has the commit; absent: the run's branch
 * @param from full hash of the previous commit
 * @param commit full hash
 * @param changes by it and by the agent's own commits since the previous one
 * @param total changes on the branch since its base commit
 */
@JsonTypeName("workspace.committed")
public record WorkspaceCommitted(
        String stepId,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> item,
        String from,
        String commit,
        @JsonUnwrapped Changed changes,
        Changed total)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        return Optional.ofNullable(state.steps().get(stepId))
                .map(OpenStep::position)
                .filter(StepPosition::isWork)
                .map(position -> counted(state, position))
                .orElse(state)
                .changingGit(this::committed);
    }

    private RunState counted(RunState state, StepPosition position) {
        EarlierTries tries = state.tries(position.phase(), position.item());
        return state.withTries(position.phase(), position.item(), tries.changing(changes.files()));
    }

    private GitState committed(GitState git) {
        if (item.isEmpty()) {
            return git.at(commit, total);
        }
        ItemBranch branch = git.items().get(item.get());
        return branch == null ? git : git.with(item.get(), branch.withHead(commit));
    }

    @Override
    public String text() {
        return "the changes of step " + stepId + " are commit " + GitText.shortened(commit) + ", " + changes.text();
    }
}
