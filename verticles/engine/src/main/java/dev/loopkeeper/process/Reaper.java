package dev.loopkeeper.process;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.OrphanProcess;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.process.tree.ProcessSnapshot;
import dev.loopkeeper.process.tree.ProcessTree;
import dev.loopkeeper.process.tree.ProcessTreeTermination;
import dev.loopkeeper.process.tree.StepEnvironment;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds orphans: processes with a nonce of this data folder that belong to no open step. */
record Reaper(SupervisorContext around) {
    /** @param known keys of the supervised steps */
    Future<Reaped> reap(ReapOrphans command, Set<String> known) {
        Set<String> open = new HashSet<>(known);
        open.addAll(command.openSteps());
        return around.scanner().take().compose(snapshot -> {
            List<ProcessSnapshot.Seen> marked = snapshot.processes().stream()
                    .filter(seen ->
                            isOrphan(seen, open) && !command.exemptRuns().contains(runId(seen)))
                    .filter(seen -> command.onlyRuns()
                            .map(runs -> runs.contains(runId(seen)))
                            .orElse(true))
                    .toList();
            return around.workers()
                    .executeBlocking(() -> living(marked), false)
                    .compose(orphans -> end(command, orphans));
        });
    }

    /** A snapshot may contain processes that have exited since. */
    private Map<ProcessSnapshot.Seen, OrphanProcess> living(List<ProcessSnapshot.Seen> marked) {
        Map<ProcessSnapshot.Seen, OrphanProcess> living = new LinkedHashMap<>();
        for (ProcessSnapshot.Seen seen : marked) {
            long pid = seen.stat().pid();
            if (around.processes().living(seen.identity())) {
                String program = around.processes().command(pid);
                living.put(seen, new OrphanProcess(runId(seen), stepId(seen), pid, program));
            }
        }
        return living;
    }

    private boolean isOrphan(ProcessSnapshot.Seen seen, Set<String> open) {
        Map<String, String> marks = seen.marks();
        return seen.stat().living()
                && !seen.nonce().isEmpty()
                && !seen.nonce().startsWith(StepEnvironment.GIT_NONCES)
                && seen.stat().pid() != ProcessHandle.current().pid()
                && around.options().data().toString().equals(marks.get(StepEnvironment.DATA))
                && !open.contains(StepOrder.key(runId(seen), stepId(seen)));
    }

    private Future<Reaped> end(ReapOrphans command, Map<ProcessSnapshot.Seen, OrphanProcess> orphans) {
        List<OrphanProcess> found = List.copyOf(orphans.values());
        if (command.dryRun() || orphans.isEmpty()) {
            return Future.succeededFuture(new Reaped(command.dryRun(), found, List.of()));
        }
        Map<String, ProcessSnapshot.Seen> byNonce = new HashMap<>();
        orphans.keySet().forEach(seen -> byNonce.putIfAbsent(seen.nonce(), seen));
        return Future.join(byNonce.values().stream().map(this::endTree).toList())
                .map(all -> new Reaped(false, found, all.list()));
    }

    private Future<KillReceipt> endTree(ProcessSnapshot.Seen orphan) {
        ProcessTree tree = new ProcessTree(orphan.nonce(), Optional.empty(), false, Optional.empty());
        return new ProcessTreeTermination(
                        around.trees(), runId(orphan), Optional.of(stepId(orphan)), tree, StopSpec.DEFAULTS)
                .begin(false)
                .receipt();
    }

    private static String runId(ProcessSnapshot.Seen seen) {
        return seen.marks().getOrDefault(StepEnvironment.RUN_ID, "");
    }

    private static String stepId(ProcessSnapshot.Seen seen) {
        return seen.marks().getOrDefault(StepEnvironment.STEP_ID, "");
    }
}
