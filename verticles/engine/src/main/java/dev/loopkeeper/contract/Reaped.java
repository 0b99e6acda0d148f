package dev.loopkeeper.contract;

import java.util.List;

/**
 * Answer: what a {@link ProcessChannels.ReapOrphans} found and did.
 *
 * @param strays orphaned processes
 * @param receipts one for each step whose orphans were ended; empty in a dry run
 */
public record Reaped(boolean dryRun, List<OrphanProcess> strays, List<KillReceipt> receipts) {}
