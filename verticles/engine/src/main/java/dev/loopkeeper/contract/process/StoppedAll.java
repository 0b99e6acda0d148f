package dev.loopkeeper.contract.process;

import java.util.List;

/**
 * Answer: what a {@link StopAll} ended and spared.
 *
 * @param spared the agents that live on
 */
public record StoppedAll(List<KillReceipt> receipts, List<LiveProcess> spared) {}
