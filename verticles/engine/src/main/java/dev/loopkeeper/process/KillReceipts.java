package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels.KillReceipt.KilledProcess;
import dev.loopkeeper.contract.ProcessChannels.KillReceipt.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes one receipt of several. */
final class KillReceipts {
    private KillReceipts() {}

    /** Names the step only where there is one; survivors of any part are survivors of the whole. */
    static KillReceipt merged(String runId, Instant requestedAt, List<KillReceipt> parts) {
        Optional<String> step = parts.size() == 1 ? parts.get(0).stepId() : Optional.empty();
        Instant verifiedAt = parts.stream()
                .map(KillReceipt::verifiedAt)
                .max(Instant::compareTo)
                .orElse(requestedAt);
        boolean survivors = parts.stream().anyMatch(part -> part.outcome() == Outcome.survivors);
        List<KilledProcess> processes =
                parts.stream().flatMap(part -> part.processes().stream()).toList();
        return new KillReceipt(
                runId, step, requestedAt, verifiedAt, survivors ? Outcome.survivors : Outcome.gone, processes);
    }
}
