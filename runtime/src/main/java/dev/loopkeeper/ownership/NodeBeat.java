package dev.loopkeeper.ownership;

/**
 * What the database says of a live node. Both numbers only rise: the same pair twice proves that nothing came between.
 *
 * @param incarnation rises with each time it joins
 * @param beat rises with each renewal
 * @param terms the node's own, by which its processes end; other nodes may have a longer or a shorter lease
 */
public record NodeBeat(String node, long incarnation, long beat, LeaseTerms terms) {}
