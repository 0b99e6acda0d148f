package dev.loopkeeper.metrics;

import dev.loopkeeper.contract.run.NodeFigures;
import java.util.Optional;

/**
 * Question: all metrics as they are now.
 *
 * @param feedClients how many clients the asker's feed has
 * @param feedLag how many events the slowest of them is behind
 * @param feedLagged how many its feed has closed because they were too slow, since it began
 * @param node what the node of a cluster says that the asker is, if it is one
 */
public record ScrapeMetrics(int feedClients, int feedLag, long feedLagged, Optional<NodeFigures> node) {}
