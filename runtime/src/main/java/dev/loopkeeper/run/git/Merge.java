package dev.loopkeeper.run.git;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * The result of merging an approved item into the run's branch.
 *
 * @param commit full hash; absent after a conflict, or when the item changed nothing
 * @param head full hash of the head of the run's branch
 * @param conflicts the conflicting files, as git spells names
 * @param changes by it on the run's branch
 * @param total changes on the run's branch since its base commit
 */
public record Merge(
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> commit,
        String head,
        List<String> conflicts,
        @JsonUnwrapped Changed changes,
        Changed total) {
    public Merge {
        conflicts = List.copyOf(conflicts);
    }
}
