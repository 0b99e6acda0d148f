package dev.loopkeeper.run.git;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The branch of an item's current or next attempt.
 *
 * @param name unique among the attempts of this run, e.g. {@code frames.f1.2-57}; empty before the first
 * @param base commit of the run's branch that it began from
 * @param head its newest recorded commit
 * @param undo event sequence from which the next step must undo the attempt's changes; 0 = nothing to undo
 * @param conflicts conflicting files of the previous attempt's merge
 */
@RecordBuilder
public record ItemBranch(
        String name,
        String base,
        String head,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long undo,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> conflicts)
        implements ItemBranchBuilder.With {
    public static ItemBranch begin(String name, String base, List<String> conflicts) {
        return new ItemBranch(name, base, base, 0, conflicts);
    }

    public ItemBranch undoing(long since) {
        return withHead(base).withUndo(since);
    }

    /** Whether the attempt's changes must be undone. */
    public boolean undoes() {
        return undo > 0;
    }
}
