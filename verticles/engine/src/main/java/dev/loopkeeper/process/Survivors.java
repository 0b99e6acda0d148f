package dev.loopkeeper.process;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.ProcessChannels.SweepStep;
import dev.loopkeeper.process.tree.ProcessTree;
import dev.loopkeeper.process.tree.ProcessTreeTermination;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Retries to end the survivors of ended steps. Used from one context only. */
final class Survivors {
    private final SupervisorContext around;
    private final Map<String, ProcessTreeTermination> tries = new HashMap<>();

    Survivors(SupervisorContext around) {
        this.around = around;
    }

    /** Tries once per step at a time; a try in progress skips its grace if {@code now}. */
    Future<KillReceipt> sweep(SweepStep command) {
        String key = StepOrder.key(command.runId(), command.stepId());
        ProcessTreeTermination begun = tries.get(key);
        if (begun != null) {
            if (command.now()) {
                begun.skipGrace();
            }
            return begun.receipt();
        }
        StepFolder folder = around.folder(command.runId(), command.stepId());
        return around.workers()
                .executeBlocking(() -> ending(folder, command), false)
                .compose(ending -> ending.map(found -> follow(key, folder, found, command.now()))
                        .orElseGet(() -> Future.succeededFuture(KillReceipt.nothing(
                                command.runId(),
                                command.stepId(),
                                around.clock().instant()))));
    }

    private Optional<ProcessTreeTermination> ending(StepFolder folder, SweepStep command) throws IOException {
        Optional<StepOrder> order = folder.order();
        if (order.isEmpty()) {
            return Optional.empty();
        }
        ProcessTree tree = new ProcessTree(
                        order.get().marks().nonce(),
                        folder.agent(),
                        false,
                        order.get().enclosure())
                .knowing(folder.survivors())
                .recorded(folder, true);
        return Optional.of(new ProcessTreeTermination(
                around.trees(),
                command.runId(),
                Optional.of(command.stepId()),
                tree,
                order.get().limits().stop()));
    }

    private Future<KillReceipt> follow(String key, StepFolder folder, ProcessTreeTermination ending, boolean now) {
        ProcessTreeTermination before = tries.putIfAbsent(key, ending);
        if (before != null) {
            return before.receipt();
        }
        return ending.begin(now)
                .receipt()
                .compose(receipt -> around.workers().executeBlocking(() -> note(folder, ending, receipt), false))
                .onComplete(over -> tries.remove(key));
    }

    private static KillReceipt note(StepFolder folder, ProcessTreeTermination ending, KillReceipt receipt)
            throws IOException {
        if (receipt.outcome() == Outcome.survivors) {
            folder.noteSurvivors(ending.survivors());
        } else {
            folder.forgetSurvivors();
            folder.tidy(true);
        }
        return receipt;
    }
}
