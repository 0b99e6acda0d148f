package dev.loopkeeper.contract.run;

import java.util.OptionalLong;

/**
 * Answer: how this node's leases went since it was started.
 *
 * @param marginMillis what is left until its processes would be ended; 0 without a lease
 * @param leastMarginMillis the least that was left when a renewal came; before the first, the same as {@code marginMillis}
 * @param takeovers runs that came here: another node, or an earlier lease of this one, had them, or had no place for them
 * @param fences other nodes whose lease this one ended
 * @param lostLeases own leases that were over before they were given up
 * @param commandsWaiting commands to runs of any node that none has taken yet; absent while the database does not say
 * @param runsWithoutNode open runs that no live node has; absent likewise
 */
public record NodeFigures(
        long marginMillis,
        long leastMarginMillis,
        long takeovers,
        long fences,
        long lostLeases,
        OptionalLong commandsWaiting,
        OptionalLong runsWithoutNode) {}
