package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code workspace.committed}: what a step changed is a commit, durable in git.
 *
 * @param item whose branch it is on; absent: the run's
 * @param from full hash of the commit before
 * @param commit full hash
 * @param files changed by it, and by commits that the agent made itself meanwhile
 * @param insertions lines
 * @param deletions lines
 * @param total what changed on the branch since the commit that it began from
 */
@JsonTypeName("workspace.committed")
public record WorkspaceCommitted(
        String stepId,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> item,
        String from,
        String commit,
        int files,
        long insertions,
        long deletions,
        Changed total)
        implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        if (state.git().isEmpty()) {
            return state;
        }
        Optional<StepPosition> slot = Optional.ofNullable(state.steps().get(stepId))
                .map(OpenStep::slot)
                .filter(StepPosition::isWork);
        RunState counted = slot.map(place -> counted(state, place)).orElse(state);
        return committed(counted, state.git().get());
    }

    private RunState counted(RunState state, StepPosition slot) {
        EarlierTries tries = state.tries(slot.phase(), slot.item());
        return state.withTries(slot.phase(), slot.item(), tries.changing(files));
    }

    private RunState committed(RunState state, GitState git) {
        if (item.isEmpty()) {
            return state.with(git.at(commit, total));
        }
        ItemBranch branch = git.items().get(item.get());
        return branch == null ? state : state.with(git.with(item.get(), branch.at(commit)));
    }

    @Override
    public String text() {
        return "step " + stepId + " is commit " + GitText.shortened(commit) + ", "
                + GitText.changes(files, insertions, deletions);
    }
}
