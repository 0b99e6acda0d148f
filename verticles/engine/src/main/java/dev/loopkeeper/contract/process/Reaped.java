package dev.loopkeeper.contract.process;

import java.util.List;

/**
 * Answer: what a {@link ReapStrays} found and did.
 *
 * @param receipts one per step whose strays were ended; empty in a dry run
 */
public record Reaped(boolean dryRun, List<StrayProcess> strays, List<KillReceipt> receipts) {}
