package dev.loopkeeper.ownership;

/**
 * The heartbeat of a live node in the database. Both numbers only rise, so the same pair twice means that nothing
 * happened in between.
 *
 * @param incarnation rises with each join
 * @param beat rises with each renewal
 * @param terms the node's own, which determine when its processes end; other nodes may have another lease
 */
public record NodeBeat(String node, long incarnation, long beat, LeaseTerms terms) {}
