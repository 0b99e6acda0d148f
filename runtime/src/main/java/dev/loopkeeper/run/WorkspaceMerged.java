package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.GitText;
import dev.loopkeeper.run.git.ItemBranch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code workspace.merged}: the result of merging an approved item into the run's branch, durable in git.
 *
 * @param attempt of the item, from 1
 * @param commit full hash; absent after a conflict
 * @param head full hash of the head of the run's branch
 * @param conflicts the conflicting files, as git spells names
 * @param changes by it on the run's branch
 * @param total changes on the run's branch since its base commit
 */
@JsonTypeName("workspace.merged")
public record WorkspaceMerged(
        String phase,
        String item,
        int attempt,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> commit,
        String head,
        List<String> conflicts,
        @JsonUnwrapped Changed changes,
        Changed total)
        implements RunEvent {
    public WorkspaceMerged {
        conflicts = List.copyOf(conflicts);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        // Also after a conflict: the conflicting merge may be done but not recorded.
        RunState merged = state.changingGit(git -> git.at(head, total));
        return commit.isPresent()
                ? merged
                : merged.changingGit(git -> git.with(item, ItemBranch.begin("", head, conflicts)));
    }

    @Override
    public String text() {
        return commit.map(hash -> "item " + item + " of " + phase + " is merged as " + GitText.shortened(hash) + ", "
                        + changes.text())
                .orElse("item " + item + " of " + phase + " could not be merged: conflicts in "
                        + GitText.names(conflicts));
    }
}
