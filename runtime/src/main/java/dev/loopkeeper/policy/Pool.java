package dev.loopkeeper.policy;

import java.util.List;
import java.util.OptionalInt;

/**
 * Agents that share a subscription: its places and its cool-down.
 *
 * @param places agents that may live at once, 1 or more; absent: no limit
 * @param programs base names of commands whose agents belong to the pool, e.g. {@code claude}
 */
public record Pool(String name, OptionalInt places, List<String> programs) {
    public Pool {
        programs = List.copyOf(programs);
    }
}
