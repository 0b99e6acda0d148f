package dev.loopkeeper.manifest;

import java.util.List;
import java.util.Optional;

/**
 * A phase that processes work items, several at once.
 *
 * @param items ids unique, dependencies known and free of cycles; empty until {@code itemsFrom} is read
 * @param itemsFrom JSON or YAML file with the list of items, relative to the manifest's folder; read when the phase
 * begins
 * @param steps agents, run in order for each attempt; at least one
 * @param maxAttempts attempts of an item, 1 or more; default 3
 * @param concurrency items at once, 1 or more; default 1
 */
public record EachPhase(
        String name,
        List<ItemSpec> items,
        Optional<String> itemsFrom,
        List<String> steps,
        int maxAttempts,
        int concurrency,
        boolean critical)
        implements PhaseSpec {
    /** Returns a copy with the items that its file held when the phase began. */
    public EachPhase having(List<ItemSpec> items) {
        return new EachPhase(name, items, itemsFrom, steps, maxAttempts, concurrency, critical);
    }

    @Override
    public String kind() {
        return "each";
    }

    @Override
    public List<String> agents() {
        return steps;
    }
}
