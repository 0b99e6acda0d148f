package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.run.ItemStatus;
import java.util.List;
import java.util.Optional;

/**
 * One work unit of an {@code each} phase, as little of it as a picture needs.
 *
 * @param dependsOn ids of the items that must end approved before it begins
 * @param attempts begun so far, from 0
 * @param maxAttempts that it may have
 * @param outcome the status of one that is over, e.g. {@code approved}; absent while it is not
 * @param lastStep id of the step of it that ended last; absent before the first
 * @param concern what that step said that a person may have to decide, one line
 * @param history its attempts that ended, oldest first, at most the newest 20
 */
public record ItemRow(
        @JsonProperty("item") String id,
        String phase,
        List<String> dependsOn,
        ItemStatus status,
        int attempts,
        int maxAttempts,
        Optional<ItemStatus> outcome,
        Optional<String> lastStep,
        Optional<String> concern,
        List<ItemAttempt> history) {}
