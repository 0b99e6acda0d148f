package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.SandboxRungs;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.TerminalExhaustion;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Records facts of a run that outlive its phases.
 *
 * @param spent usage of all ended steps
 * @param feedback the operator's last feedback; empty when none was given
 * @param deliverable the last one that an agent submitted
 * @param warned messages that are recorded once: budget warnings, e.g. {@code costUsd}, and {@link Notice#once}
 * @param rolledBack iterations that were retried, in their earlier form
 * @param verdict the last rating of the work
 * @param answers feedback to pauses of items, by {@link #item}; launches of the item get it in place of {@code feedback}
 * @param undelivered items, or {@value #RUN} for the run, whose feedback no launch has received yet
 * @param sandbox the highest level of a sandbox that a step had
 * @param highestUsage by agent, the highest usage of any ended step, for each part
 */
@RecordBuilder
public record Ledger(
        Spending spent,
        RunStatistics statistics,
        String feedback,
        Optional<JsonNode> deliverable,
        Optional<TerminalExhaustion> exhaustion,
        List<ClearedExhaustion> exhaustionHistory,
        Set<String> warned,
        List<Iteration> rolledBack,
        Map<String, Usage> highestUsage,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LastVerdict> verdict,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> answers,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> undelivered,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> sandbox)
        implements LedgerBuilder.With {
    static final String RUN = "run";

    static final Ledger EMPTY = new Ledger(
            Spending.NOTHING,
            RunStatistics.NONE,
            "",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Set.of(),
            List.of(),
            Map.of(),
            Optional.empty(),
            Map.of(),
            List.of(),
            Optional.empty());

    /** The key of the item at this position, e.g. {@code frames/f1}. */
    static Optional<String> item(StepPosition position) {
        return position.item().map(id -> position.phase() + "/" + id);
    }

    /** Keeps the highest level of a sandbox. */
    Ledger confined(Optional<String> level) {
        boolean higher = level.isPresent()
                && sandbox.map(known -> SandboxRungs.isLower(known, level.get()))
                        .orElse(true);
        return higher ? withSandbox(level) : this;
    }

    /**
     * Adds the usage of an ended step of this agent.
     *
     * @param costUnknown whether the step hides a cost
     */
    Ledger plusSpent(String agent, Usage used, boolean costUnknown) {
        Usage most = Spending.most(highestUsage.getOrDefault(agent, Usage.UNKNOWN), used);
        Spending sum = spent.plus(used);
        return withSpent(costUnknown ? sum.plusUnknownCost() : sum)
                .withHighestUsage(Copies.plus(highestUsage, agent, most));
    }

    Ledger submitted(Optional<JsonNode> latest) {
        return withDeliverable(latest.or(() -> deliverable));
    }

    Ledger withCleared(ClearedExhaustion cleared) {
        return withExhaustion(Optional.empty()).withExhaustionHistory(Copies.plus(exhaustionHistory, cleared));
    }

    Ledger withSaid(String once) {
        Set<String> said = new HashSet<>(warned);
        said.add(once);
        return withWarned(Set.copyOf(said));
    }

    Ledger plusRolledBack(Iteration iteration) {
        return withRolledBack(Copies.plus(rolledBack, iteration.withoutFailures()));
    }

    /** The feedback for a launch of this item, or of none. */
    String feedback(Optional<String> item) {
        return item.map(answers::get).orElse(feedback);
    }

    /**
     * Replaces the feedback to this item, with {@value #RUN} to the run and those of its items that have none of their own,
     * and without an item to the run and all its items. Adds to feedback that is undelivered.
     */
    Ledger plusFeedback(Optional<String> item, String text) {
        Map<String, String> changed = new LinkedHashMap<>(answers);
        boolean toRun = item.filter(unit -> !unit.equals(RUN)).isEmpty();
        if (!toRun) {
            changed.merge(item.get(), text, (earlier, later) -> added(item.get(), earlier, later));
        } else if (item.isEmpty()) {
            changed.keySet().retainAll(undelivered);
            changed.replaceAll((unit, earlier) -> added(unit, earlier, text));
        }
        Set<String> pending = new LinkedHashSet<>(undelivered);
        pending.add(item.orElse(RUN));
        return withFeedback(toRun ? added(RUN, feedback, text) : feedback)
                .withAnswers(Collections.unmodifiableMap(changed))
                .withUndelivered(List.copyOf(pending));
    }

    private String added(String unit, String earlier, String text) {
        boolean delivered = !undelivered.contains(unit) || earlier.isBlank();
        return delivered ? text : text.isBlank() ? earlier : earlier + "\n\n" + text;
    }

    /** A launch of this item, or of none, received its feedback. */
    Ledger delivered(Optional<String> item) {
        String received = item.filter(answers::containsKey).orElse(RUN);
        return undelivered.contains(received)
                ? withUndelivered(undelivered.stream()
                        .filter(pending -> !pending.equals(received))
                        .toList())
                : this;
    }

    /** A step without a rating keeps the last verdict. */
    Ledger withLatest(Optional<LastVerdict> latest) {
        return withVerdict(latest.or(() -> verdict));
    }
}
