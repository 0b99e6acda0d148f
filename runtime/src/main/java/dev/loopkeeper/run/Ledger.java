package dev.loopkeeper.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.termination.ClearedExhaustion;
import dev.loopkeeper.termination.TerminalExhaustion;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a run carries along whatever phase it is in.
 *
 * @param spent usage of all ended steps
 * @param feedback the operator's last feedback; empty when none was given
 * @param deliverable the last one that an agent handed in
 * @param warned budget parts of which a warning was given, e.g. {@code costUsd}
 * @param rolledBack iterations that were tried again, as they were before
 */
public record Ledger(
        Spending spent,
        RunStatistics statistics,
        String feedback,
        Optional<JsonNode> deliverable,
        Optional<TerminalExhaustion> exhaustion,
        List<ClearedExhaustion> exhaustionHistory,
        Set<String> warned,
        List<Iteration> rolledBack) {

    static final Ledger EMPTY = new Ledger(
            Spending.NOTHING,
            RunStatistics.NONE,
            "",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Set.of(),
            List.of());

    Ledger withSpent(Spending sum) {
        return new Ledger(sum, statistics, feedback, deliverable, exhaustion, exhaustionHistory, warned, rolledBack);
    }

    Ledger withStatistics(RunStatistics counts) {
        return new Ledger(spent, counts, feedback, deliverable, exhaustion, exhaustionHistory, warned, rolledBack);
    }

    Ledger withFeedback(String words) {
        return new Ledger(spent, statistics, words, deliverable, exhaustion, exhaustionHistory, warned, rolledBack);
    }

    Ledger withDeliverable(Optional<JsonNode> handedIn) {
        Optional<JsonNode> last = handedIn.isPresent() ? handedIn : deliverable;
        return new Ledger(spent, statistics, feedback, last, exhaustion, exhaustionHistory, warned, rolledBack);
    }

    Ledger withExhaustion(TerminalExhaustion record) {
        Optional<TerminalExhaustion> last = Optional.of(record);
        return new Ledger(spent, statistics, feedback, deliverable, last, exhaustionHistory, warned, rolledBack);
    }

    Ledger withCleared(ClearedExhaustion cleared) {
        List<ClearedExhaustion> history = Copies.plus(exhaustionHistory, cleared);
        return new Ledger(spent, statistics, feedback, deliverable, Optional.empty(), history, warned, rolledBack);
    }

    Ledger withWarned(Set<String> parts) {
        return new Ledger(spent, statistics, feedback, deliverable, exhaustion, exhaustionHistory, parts, rolledBack);
    }

    Ledger withRolledBack(Iteration iteration) {
        List<Iteration> before = Copies.plus(rolledBack, iteration);
        return new Ledger(spent, statistics, feedback, deliverable, exhaustion, exhaustionHistory, warned, before);
    }
}
