package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.NodeChannels.NodeFigures;
import java.util.Optional;

/**
 * Request: all current metrics.
 *
 * @param feedClients number of clients of the caller's feed
 * @param feedLag events by which the slowest of them is behind
 * @param feedLagged number of clients closed as too slow since the feed started
 * @param node figures of the cluster node that the caller is; absent without a cluster
 */
public record ScrapeMetrics(int feedClients, int feedLag, long feedLagged, Optional<NodeFigures> node) {}
