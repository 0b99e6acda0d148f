package dev.loopkeeper.view;

import java.time.Instant;

/**
 * Which node of a cluster carries a run out, e.g. {@code {"node": "n1", "epoch": 3, "since": "..."}}.
 *
 * @param epoch rises by one with each change of the owner, from 1
 */
public record Owner(String node, long epoch, Instant since) {}
