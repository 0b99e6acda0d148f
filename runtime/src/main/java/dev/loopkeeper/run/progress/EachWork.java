package dev.loopkeeper.run.progress;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.UnitOutcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The progress of an {@code each} phase: its items by id, in the order of the manifest.
 *
 * @param maxAttempts of an item
 */
public record EachWork(Map<String, ItemWork> items, int maxAttempts) implements Work {
    /** Converts the map, so that a run with thousands of items does not copy them at each step. */
    public EachWork {
        items = ItemTable.of(items);
    }

    private ItemTable table() {
        return (ItemTable) items;
    }

    /**
     * Begins the phase with all its items pending.
     *
     * @param earlier the items of the previous pass through the phase; absent the first time
     */
    public static EachWork begin(EachPhase phase, int maxAttempts, Optional<EachWork> earlier) {
        Map<String, ItemWork> fresh = new LinkedHashMap<>();
        phase.items().forEach(item -> fresh.put(item.id(), ItemWork.pending(item.id(), triesOf(item.id(), earlier))));
        return new EachWork(fresh, maxAttempts);
    }

    private static EarlierTries triesOf(String item, Optional<EachWork> earlier) {
        return earlier.map(each -> each.item(item)).map(ItemWork::tries).orElse(EarlierTries.NONE);
    }

    public ItemWork item(String id) {
        return items.get(id);
    }

    public EachWork with(ItemWork item) {
        return new EachWork(table().with(item), maxAttempts);
    }

    public long count(ItemStatus status) {
        return table().count(status);
    }

    /** The items in progress, in order. */
    public Stream<ItemWork> running() {
        return table().running();
    }

    /** The manifest's definition of an item. */
    public ItemSpec spec(EachPhase phase, String id) {
        return phase.items().get(table().index(id));
    }

    /**
     * The first pending item that may begin, or that cannot begin because a dependency did not end approved.
     *
     * @param mayBegin whether another item may begin; otherwise only blocked items are returned
     */
    public Optional<ItemSpec> nextPending(EachPhase phase, boolean mayBegin) {
        ReadyItems readiness = table().readiness(phase.items());
        OptionalInt index = mayBegin ? readiness.first() : readiness.firstLost();
        return index.isPresent() ? Optional.of(phase.items().get(index.getAsInt())) : Optional.empty();
    }

    /**
     * The item that a resume begins with: the one in progress, else the next pending one, else the first one out of
     * attempts.
     */
    public Optional<String> next() {
        return Stream.<Predicate<ItemWork>>of(
                        item -> item.status() == ItemStatus.RUNNING,
                        item -> item.status() == ItemStatus.PENDING,
                        ItemWork::isLost)
                .flatMap(condition -> ids(condition).stream())
                .findFirst();
    }

    public boolean allOver() {
        return count(ItemStatus.PENDING) + count(ItemStatus.RUNNING) == 0;
    }

    /** The lowest limit that does not affect begun attempts and pending retries. */
    public int leastAttempts() {
        return items.values().stream()
                .mapToInt(item -> item.status() == ItemStatus.PENDING ? item.attempts() + 1 : item.attempts())
                .max()
                .orElse(1);
    }

    public List<String> ids(Predicate<ItemWork> condition) {
        return items.values().stream().filter(condition).map(ItemWork::id).toList();
    }

    public boolean dependencyLost(ItemSpec spec) {
        return spec.dependsOn().stream()
                .map(this::item)
                .anyMatch(item -> item.isOver() && item.status() != ItemStatus.APPROVED);
    }

    /** Restarts the given items, retries items that have attempts left, and reevaluates the items that they block. */
    public EachWork reopened(List<String> resetItems, int attempts) {
        boolean any = items.values().stream().anyMatch(item -> reopens(item, resetItems, attempts));
        Map<String, ItemWork> reopened = new LinkedHashMap<>();
        for (ItemWork item : items.values()) {
            boolean reset = resetItems.contains(item.id()) || (any && item.status() == ItemStatus.BLOCKED);
            boolean again = reopens(item, resetItems, attempts);
            reopened.put(item.id(), reset ? ItemWork.pending(item.id(), item.tries()) : again ? item.reopened() : item);
        }
        return new EachWork(reopened, attempts);
    }

    private static boolean reopens(ItemWork item, List<String> resetItems, int attempts) {
        return resetItems.contains(item.id()) || (item.isLost() && item.attempts() < attempts);
    }

    /** The statistics without these items, as far as they count. */
    public RunStatistics takenBack(RunStatistics counts, Predicate<ItemWork> which) {
        RunStatistics left = counts;
        for (ItemWork item : items.values()) {
            if (item.counted() && which.test(item)) {
                left = left.minusEnded(UnitOutcome.valueOf(item.status().name()), item.attempts());
            }
        }
        return left;
    }

    public EachWork uncounted() {
        Map<String, ItemWork> left = new LinkedHashMap<>();
        items.values().forEach(item -> left.put(item.id(), item.withCounted(false)));
        return new EachWork(left, maxAttempts);
    }
}
