package dev.loopkeeper.metrics;

/**
 * Question: all metrics as they are now.
 *
 * @param feedClients how many clients the asker's feed has
 * @param feedLag how many events the slowest of them is behind
 * @param feedLagged how many its feed has closed because they were too slow, since it began
 */
public record ScrapeMetrics(int feedClients, int feedLag, long feedLagged) {}
