package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.step.LastVerdict;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.TerminalExhaustion;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.HashSet;
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
 * @param dearest by agent, the highest usage of any ended step, for each part
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
        Map<String, Usage> dearest,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LastVerdict> verdict)
        implements LedgerBuilder.With {
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
            Optional.empty());

    /**
     * Adds the usage of an ended step of this agent.
     *
     * @param costUnknown whether the step hides a cost
     */
    Ledger plusSpent(String agent, Usage used, boolean costUnknown) {
        Usage most = Spending.most(dearest.getOrDefault(agent, Usage.UNKNOWN), used);
        Spending sum = spent.plus(used);
        return withSpent(costUnknown ? sum.plusUnknownCost() : sum).withDearest(Copies.plus(dearest, agent, most));
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

    /** A step without a rating keeps the last verdict. */
    Ledger judged(Optional<LastVerdict> latest) {
        return withVerdict(latest.or(() -> verdict));
    }
}
