package dev.loopkeeper.policy;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import java.util.List;
import java.util.Optional;

/**
 * Describes what holds across all runs of a store. The lists keep the order of the file.
 *
 * @param pools names unique; no program is in two of them
 * @param caps names unique
 * @param prices models unique; the first one that fits a model counts
 * @param schedules names unique
 */
public record Policy(List<Pool> pools, List<Cap> caps, List<Price> prices, List<Schedule> schedules) {
    /** The policy of a store to which none was applied. */
    public static final Policy NONE = new Policy(List.of(), List.of(), List.of(), List.of());

    public Policy {
        pools = List.copyOf(pools);
        caps = List.copyOf(caps);
        prices = List.copyOf(prices);
        schedules = List.copyOf(schedules);
    }

    /** Returns the pool with this name. */
    public Optional<Pool> pool(String name) {
        return pools.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    /** Returns the pool that an agent names, even an unknown one as none, else the pool of its program. */
    public Optional<Pool> poolOf(AgentSpec agent) {
        return agent.pool().isPresent()
                ? pool(agent.pool().get())
                : pools.stream()
                        .filter(pool ->
                                pool.programs().contains(program(agent.program().command())))
                        .findFirst();
    }

    /** Returns the base name of a command's first word, e.g. {@code claude}. */
    private static String program(CommandLine command) {
        String word = command.words().get(0);
        String first = command.shell() ? word.strip().split("\\s", 2)[0] : word;
        return first.substring(first.lastIndexOf('/') + 1);
    }

    /** Returns the schedule with this name. */
    public Optional<Schedule> schedule(String name) {
        return schedules.stream()
                .filter(schedule -> schedule.name().equals(name))
                .findFirst();
    }

    /** Returns the price of a model. */
    public Optional<Price> priceOf(String model) {
        return prices.stream().filter(price -> Globs.fits(price.model(), model)).findFirst();
    }
}
