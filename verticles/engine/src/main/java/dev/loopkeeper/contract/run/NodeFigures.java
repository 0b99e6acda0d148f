package dev.loopkeeper.contract.run;

import java.util.OptionalLong;

/**
 * Answer: figures of this node's leases since its start.
 *
 * @param marginMillis time until its processes would be ended; 0 without a lease
 * @param leastMarginMillis least margin at a renewal; equal to {@code marginMillis} before the first
 * @param takeovers runs that this node took over, from another node or its own earlier lease
 * @param fences other nodes whose lease this one ended
 * @param lostLeases own leases that ended before they were given up
 * @param commandsWaiting commands to runs of any node that none has taken yet; absent if the database does not answer
 * @param runsWithoutNode open runs without a live owner; absent likewise
 */
public record NodeFigures(
        long marginMillis,
        long leastMarginMillis,
        long takeovers,
        long fences,
        long lostLeases,
        OptionalLong commandsWaiting,
        OptionalLong runsWithoutNode) {}
