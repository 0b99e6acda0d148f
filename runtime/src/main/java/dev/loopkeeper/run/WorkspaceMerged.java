package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.run.git.GitText;
import dev.loopkeeper.run.git.ItemBranch;
import dev.loopkeeper.run.git.Merge;
import java.time.Instant;

/**
 * {@code workspace.merged}: an approved item was merged, durable in git, or conflicts.
 *
 * @param attempt of the item, from 1
 */
@JsonTypeName("workspace.merged")
public record WorkspaceMerged(
        String phase,
        String item,
        int attempt,
        @JsonUnwrapped Merge merge) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        // Also after a conflict: the conflicting merge may be done but not recorded.
        RunState merged = state.changingGit(git -> git.at(merge.head(), merge.total()));
        return merge.commit().isPresent()
                ? merged
                : merged.changingGit(git -> git.with(item, ItemBranch.begin("", merge.head(), merge.conflicts())));
    }

    @Override
    public String text() {
        return merge.commit()
                .map(hash -> "item " + item + " of " + phase + " is merged as " + GitText.shortened(hash) + ", "
                        + merge.changes().text())
                .orElse("item " + item + " of " + phase + " could not be merged: conflicts in "
                        + GitText.names(merge.conflicts()));
    }
}
