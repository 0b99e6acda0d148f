package dev.loopkeeper.checkpoint;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.step.Finding;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.view.ItemPage;
import dev.loopkeeper.view.ItemRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the view of a run's items from its state. */
public final class ItemsView {
    private ItemsView() {}

    /**
     * A page of items.
     *
     * @param since number of items to skip, 0 or more
     * @param limit 1 or more
     * @param attempts ended attempts of the items
     */
    public static ItemPage page(RunState state, int since, int limit, ItemAttempts attempts) {
        List<ItemRow> page = new ArrayList<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        int index = 0;
        for (PhaseSpec phase : state.manifest().phases()) {
            if (phase instanceof EachPhase each) {
                Optional<EachWork> work = work(state, each);
                for (ItemSpec item : each.items()) {
                    Optional<ItemWork> done = work.map(progress -> progress.item(item.id()));
                    counts.merge(status(done).wire(), 1L, Long::sum);
                    if (index >= since && page.size() < limit) {
                        int most = work.map(EachWork::maxAttempts).orElse(each.maxAttempts());
                        page.add(row(each.name(), item, done, most, attempts));
                    }
                    index++;
                }
            }
        }
        int next = since + page.size();
        return new ItemPage(
                List.copyOf(page), counts, next < index ? Optional.of(Integer.toString(next)) : Optional.empty());
    }

    private static Optional<EachWork> work(RunState state, EachPhase each) {
        boolean present =
                state.phase().map(PhaseSpec::name).filter(each.name()::equals).isPresent();
        return present && state.cursor().work() instanceof EachWork begun
                ? Optional.of(begun)
                : state.cursor().pastItems(each.name());
    }

    private static ItemStatus status(Optional<ItemWork> done) {
        return done.map(ItemWork::status).orElse(ItemStatus.PENDING);
    }

    private static ItemRow row(
            String phase, ItemSpec item, Optional<ItemWork> done, int maxAttempts, ItemAttempts attempts) {
        Optional<StepSummary> last = done.flatMap(work -> work.last());
        return new ItemRow(
                item.id(),
                phase,
                item.dependsOn(),
                status(done),
                done.map(ItemWork::attempts).orElse(0),
                maxAttempts,
                done.filter(ItemWork::isOver).map(ItemWork::status),
                last.map(StepSummary::stepId),
                last.flatMap(StepSummary::finding).flatMap(Finding::concern),
                attempts.of(phase, item.id()));
    }
}
