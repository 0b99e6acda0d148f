package dev.loopkeeper.embed;

import dev.loopkeeper.contract.KillReceipt;
import java.util.List;
import java.util.Optional;

/**
 * Stop receipts of a run, oldest first.
 *
 * @param nextCursor of the next page; absent when there are no more
 */
public record ReceiptPage(List<KillReceipt> receipts, Optional<String> nextCursor) {}
