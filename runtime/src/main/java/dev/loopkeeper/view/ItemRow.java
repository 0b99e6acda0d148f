package dev.loopkeeper.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loopkeeper.run.progress.ItemStatus;
import java.util.List;
import java.util.Optional;

/**
 * A work item of an {@code each} phase, reduced for charts.
 *
 * @param dependsOn ids of the items that must end approved before it begins
 * @param attempts begun so far, from 0
 * @param maxAttempts allowed attempts
 * @param outcome the final status, e.g. {@code approved}; absent until it ends
 * @param lastStep id of its last ended step; absent before the first
 * @param concern that step's concern or question for a person, one line
 * @param history its ended attempts, oldest first, at most the newest 20
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
