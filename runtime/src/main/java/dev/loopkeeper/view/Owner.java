package dev.loopkeeper.view;

import java.time.Instant;

/**
 * The cluster node that owns a run, e.g. {@code {"node": "n1", "epoch": 3, "since": "..."}}.
 *
 * @param epoch rises by one with each change of the owner, from 1
 */
public record Owner(String node, long epoch, Instant since) {}
