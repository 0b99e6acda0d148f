package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * The branch of an attempt of an item; of the next attempt, once that is about to begin.
 *
 * @param name plain, and no other attempt's of this run, e.g. {@code frames.f1.2-57}; empty before the first
 * @param base commit of the run's branch that it began from
 * @param head newest commit of it that is recorded
 * @param undo above 0 when what the attempt changed so far is to be undone before its next step: since this event
 * @param conflicts files for which the attempt before could not be merged
 */
public record ItemBranch(
        String name,
        String base,
        String head,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long undo,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> conflicts) {
    public ItemBranch {
        conflicts = conflicts == null ? List.of() : List.copyOf(conflicts);
    }

    static ItemBranch begin(String name, String base, List<String> conflicts) {
        return new ItemBranch(name, base, base, 0, conflicts);
    }

    ItemBranch at(String commit) {
        return new ItemBranch(name, base, commit, undo, conflicts);
    }

    ItemBranch undoing(long since) {
        return new ItemBranch(name, base, base, since, conflicts);
    }

    ItemBranch going() {
        return new ItemBranch(name, base, head, 0, conflicts);
    }

    /** Whether what it changed so far is to be undone. */
    public boolean undoes() {
        return undo > 0;
    }
}
