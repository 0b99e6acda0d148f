package dev.loopkeeper.contract.process;

import java.util.List;

/**
 * Answer: what a {@link ReapStrays} found and did.
 *
 * @param strays orphaned processes
 * @param receipts one for each step whose orphans were ended; empty in a dry run
 */
public record Reaped(boolean dryRun, List<StrayProcess> strays, List<KillReceipt> receipts) {}
