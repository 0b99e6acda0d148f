package dev.loopkeeper.rules;

import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.step.OneLine;
import java.util.List;
import java.util.Optional;

/** Names the cause of an ending that items without approval led to. */
final class LostItems {
    /** Longest list of item names in characters, since a phase may have thousands of items. */
    private static final int NAMED = 60;

    /** Longest concern in characters; with the lists of names the summary stays below 240. */
    private static final int CONCERN = 90;

    private LostItems() {}

    /**
     * The cause first, e.g. {@code export: CSV export loses the header row (3 attempts); blocks share, send}.
     *
     * @param lost the items that used up their attempts
     * @param blocked the items that depend on them; empty when only the lost ones count
     */
    static String summary(EachWork each, List<String> lost, List<String> blocked) {
        if (lost.isEmpty()) {
            return OneLine.names(blocked, NAMED) + " blocked";
        }
        List<String> others = lost.subList(1, lost.size());
        return cause(each.item(lost.get(0)))
                + (others.isEmpty() ? "" : "; also " + OneLine.names(others, NAMED))
                + (blocked.isEmpty() ? "" : "; blocks " + OneLine.names(blocked, NAMED));
    }

    private static String cause(ItemWork item) {
        Optional<String> concern = item.last().flatMap(StepSummary::finding).flatMap(Finding::concern);
        String said = OneLine.of(concern.orElse(item.status().wire()), CONCERN);
        return OneLine.of(item.id(), NAMED) + ": " + said + " (" + Amounts.count(item.attempts(), "attempt") + ")";
    }
}
