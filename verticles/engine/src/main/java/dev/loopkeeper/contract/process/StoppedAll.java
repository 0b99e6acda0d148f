package dev.loopkeeper.contract.process;

import java.util.List;

/**
 * Answer: what a {@link StopAll} ended.
 *
 * @param spared agents that continue
 */
public record StoppedAll(List<KillReceipt> receipts, List<LiveProcess> spared) {}
