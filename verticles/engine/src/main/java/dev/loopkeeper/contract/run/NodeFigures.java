package dev.loopkeeper.contract.run;

/**
 * Answer: how this node's leases went since it was started.
 *
 * @param marginMillis what is left until its processes would be ended; 0 without a lease
 * @param leastMarginMillis the least that was left when a renewal came; before the first, the same as {@code marginMillis}
 * @param takeovers runs that were carried on here after another node, or an earlier lease of this one, had them
 * @param fences other nodes whose lease this one ended
 * @param lostLeases own leases that were over before they were given up
 */
public record NodeFigures(long marginMillis, long leastMarginMillis, long takeovers, long fences, long lostLeases) {}
