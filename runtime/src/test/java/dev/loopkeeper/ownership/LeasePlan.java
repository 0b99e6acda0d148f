package dev.loopkeeper.ownership;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Which lease a node has after which of its starts. */
interface LeasePlan {
    /** All have the default. */
    LeasePlan SAME = (node, start) -> LeaseTerms.DEFAULTS;

    /** The longest of any plan here. */
    Duration LONGEST = Duration.ofSeconds(20);

    /**
     * For one start.
     *
     * @param node from 0
     * @param start from 1
     */
    LeaseTerms terms(int node, int start);

    /** In every other schedule all have the default, in the others each start of each node one of its own. */
    static LeasePlan random(SplittableRandom random) {
        if (random.nextBoolean()) {
            return SAME;
        }
        List<LeaseTerms> choice = List.of(seconds(6), LeaseTerms.DEFAULTS, seconds(12), new LeaseTerms(LONGEST));
        Map<List<Integer>, LeaseTerms> drawn = new HashMap<>();
        return (node, start) ->
                drawn.computeIfAbsent(List.of(node, start), first -> choice.get(random.nextInt(choice.size())));
    }

    static LeaseTerms seconds(long lease) {
        return new LeaseTerms(Duration.ofSeconds(lease));
    }
}
