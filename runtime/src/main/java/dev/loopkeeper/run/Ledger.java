package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.TerminalExhaustion;
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
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<LastVerdict> verdict) {

    /** Older snapshots lack these fields. */
    public Ledger {
        dearest = dearest == null ? Map.of() : dearest;
        verdict = verdict == null ? Optional.empty() : verdict;
    }

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
    Ledger withSpent(String agent, Usage used, boolean costUnknown) {
        Usage most = Spending.most(dearest.getOrDefault(agent, Usage.UNKNOWN), used);
        return new Ledger(
                costUnknown ? spent.plus(used).plusUnknownCost() : spent.plus(used),
                statistics,
                feedback,
                deliverable,
                exhaustion,
                exhaustionHistory,
                warned,
                rolledBack,
                Copies.plus(dearest, agent, most),
                verdict);
    }

    Ledger withStatistics(RunStatistics counts) {
        return new Ledger(
                spent,
                counts,
                feedback,
                deliverable,
                exhaustion,
                exhaustionHistory,
                warned,
                rolledBack,
                dearest,
                verdict);
    }

    Ledger withFeedback(String words) {
        return new Ledger(
                spent,
                statistics,
                words,
                deliverable,
                exhaustion,
                exhaustionHistory,
                warned,
                rolledBack,
                dearest,
                verdict);
    }

    Ledger withDeliverable(Optional<JsonNode> handedIn) {
        Optional<JsonNode> last = handedIn.isPresent() ? handedIn : deliverable;
        return new Ledger(
                spent, statistics, feedback, last, exhaustion, exhaustionHistory, warned, rolledBack, dearest, verdict);
    }

    Ledger withExhaustion(TerminalExhaustion record) {
        Optional<TerminalExhaustion> last = Optional.of(record);
        return new Ledger(
                spent,
                statistics,
                feedback,
                deliverable,
                last,
                exhaustionHistory,
                warned,
                rolledBack,
                dearest,
                verdict);
    }

    Ledger withCleared(ClearedExhaustion cleared) {
        List<ClearedExhaustion> history = Copies.plus(exhaustionHistory, cleared);
        return new Ledger(
                spent,
                statistics,
                feedback,
                deliverable,
                Optional.empty(),
                history,
                warned,
                rolledBack,
                dearest,
                verdict);
    }

    Ledger withWarned(Set<String> parts) {
        return new Ledger(
                spent,
                statistics,
                feedback,
                deliverable,
                exhaustion,
                exhaustionHistory,
                parts,
                rolledBack,
                dearest,
                verdict);
    }

    Ledger withSaid(String once) {
        Set<String> said = new HashSet<>(warned);
        said.add(once);
        return withWarned(Set.copyOf(said));
    }

    Ledger withRolledBack(Iteration iteration) {
        List<Iteration> before = Copies.plus(rolledBack, iteration.withoutFailures());
        return new Ledger(
                spent,
                statistics,
                feedback,
                deliverable,
                exhaustion,
                exhaustionHistory,
                warned,
                before,
                dearest,
                verdict);
    }

    /** A step without a rating keeps the last verdict. */
    Ledger withVerdict(Optional<LastVerdict> said) {
        return said.isEmpty()
                ? this
                : new Ledger(
                        spent,
                        statistics,
                        feedback,
                        deliverable,
                        exhaustion,
                        exhaustionHistory,
                        warned,
                        rolledBack,
                        dearest,
                        said);
    }
}
