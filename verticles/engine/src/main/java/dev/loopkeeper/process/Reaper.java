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
                    .compose(orphans -> around.workers()
                            .executeBlocking(() -> describe(orphans), false)
                            .compose(found -> end(command, found, orphans)));
        });
    }

    /** A snapshot may contain processes that have exited since. */
    private List<ProcessSnapshot.Seen> living(List<ProcessSnapshot.Seen> marked) {
        return marked.stream()
                .filter(seen -> around.processes().living(seen.identity()))
                .toList();
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

    private List<OrphanProcess> describe(List<ProcessSnapshot.Seen> orphans) {
        return orphans.stream()
                .map(seen -> new OrphanProcess(
                        runId(seen),
                        stepId(seen),
                        seen.stat().pid(),
                        around.processes().command(seen.stat().pid())))
                .toList();
    }

    private Future<Reaped> end(ReapOrphans command, List<OrphanProcess> found, List<ProcessSnapshot.Seen> orphans) {
        if (command.dryRun() || orphans.isEmpty()) {
            return Future.succeededFuture(new Reaped(command.dryRun(), found, List.of()));
        }
        Map<String, ProcessSnapshot.Seen> byNonce = new HashMap<>();
        orphans.forEach(seen -> byNonce.putIfAbsent(seen.nonce(), seen));
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
