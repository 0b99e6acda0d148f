package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code workspace.merged}: what became of an approved item's merge into the run's branch, durable in git.
 *
 * @param attempt of the item, from 1
 * @param commit full hash; absent when it could not be merged
 * @param head full hash of where the run's branch is now
 * @param conflicts the files for which it could not, as git spells names
 * @param files changed by it on the run's branch
 * @param insertions lines
 * @param deletions lines
 * @param total what changed on the run's branch since the commit that it began from
 */
@JsonTypeName("workspace.merged")
public record WorkspaceMerged(
        String phase,
        String item,
        int attempt,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> commit,
        String head,
        List<String> conflicts,
        int files,
        long insertions,
        long deletions,
        Changed total)
        implements RunEvent {
    public WorkspaceMerged {
        conflicts = List.copyOf(conflicts);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        if (state.git().isEmpty()) {
            return state;
        }
        // With a conflict, too: what it conflicts with may be merged already and not recorded.
        GitState git = state.git().get().at(head, total);
        return state.with(commit.isPresent() ? git : git.with(item, ItemBranch.begin("", head, conflicts)));
    }

    @Override
    public String text() {
        return commit.map(hash -> "item " + item + " of " + phase + " is merged as " + GitText.shortened(hash) + ", "
                        + GitText.changes(files, insertions, deletions))
                .orElse("item " + item + " of " + phase + " could not be merged: conflicts in "
                        + GitText.names(conflicts));
    }
}
