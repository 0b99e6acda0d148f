package dev.loopkeeper.process.trial;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.process.Containing;
import dev.loopkeeper.process.ProcessSupervisor;
import dev.loopkeeper.process.SupervisorContext;
import dev.loopkeeper.process.SupervisorOptions;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tests on this machine whether a hostile process tree can be ended: launches one as a step, stops it, and scans for
 * survivors. Ends them.
 */
public final class ContainmentTrial {
    /**
     * The result of a trial.
     *
     * @param holds whether nothing was left
     * @param found for people, e.g. {@code ended 9 processes: ...}
     */
    public record Verdict(Containing kind, boolean holds, String found) {}

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOK_EVERY_MILLIS = 20;
    private static final int WORKERS = 2;

    private final Vertx vertx;
    private final Path folder;
    private final Containing kind;
    private final WorkerExecutor workers;
    private final HostileTree tree;
    private final List<StepExited> exits = new ArrayList<>();

    private ContainmentTrial(Vertx vertx, Path folder, Containing kind) {
        this.vertx = vertx;
        this.folder = folder;
        this.kind = kind;
        this.workers = Workers.of(vertx, "loopkeeper-trial", WORKERS);
        this.tree = new HostileTree(folder, kind);
    }

    /**
     * Tries one kind; does not fail for a machine that cannot contain, that is a verdict.
     *
     * @param folder empty and absolute; what is left in it may be removed
     */
    public static Future<Verdict> run(Vertx vertx, Path folder, Containing kind) {
        ContainmentTrial trial = new ContainmentTrial(vertx, folder, kind);
        // All of it in one context, as a supervisor wants it.
        return Future.<Verdict>future(verdict -> vertx.getOrCreateContext()
                        .runOnContext(begin -> trial.run().onComplete(verdict)))
                .timeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .otherwise(broken -> new Verdict(kind, false, "the trial failed: " + broken.getMessage()))
                .eventually(trial.workers::close);
    }

    private Future<Verdict> run() {
        return workers.executeBlocking(() -> SupervisorContext.of(
                        vertx, vertx.getOrCreateContext(), workers, SupervisorOptions.of(folder), SmallFiles.REAL))
                .compose(around -> kind == Containing.CGROUP && around.cgroups().isEmpty()
                        ? Future.succeededFuture(
                                new Verdict(kind, false, "this user cannot create control groups (version 2)"))
                        : contend(kind == Containing.CGROUP ? around : around.withoutCgroups()));
    }

    private Future<Verdict> contend(SupervisorContext around) {
        ProcessSupervisor supervisor = new ProcessSupervisor(around, text -> text, exits::add);
        StepSpec step = tree.step();
        return supervisor
                .launch(new LaunchStep(step, false))
                .compose(launched -> launched.pid().isEmpty()
                        ? notLaunched()
                        : grown().compose(ready -> supervisor.stop(
                                        new StopStep(step.runId(), step.stepId(), false, ExitCause.STOPPED)))
                                .compose(this::judge)
                                .compose(
                                        verdict -> until(() -> !exits.isEmpty()).map(verdict)))
                .eventually(() -> workers.executeBlocking(() -> tree.endAll(around.signals()), false));
    }

    private Future<Verdict> notLaunched() {
        return until(() -> !exits.isEmpty())
                .map(ended -> new Verdict(
                        kind,
                        false,
                        exits.get(0).process().diagnostic().orElse("the trial's process could not be launched")));
    }

    private Future<Void> grown() {
        return until(() -> !exits.isEmpty() || Files.exists(tree.readyFile()))
                .compose(known -> exits.isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture("the tree ended before it was killed, "
                                + exits.get(0).process().diagnostic().orElse("")));
    }

    private Future<Void> until(BooleanSupplier holds) {
        return holds.getAsBoolean()
                ? Future.succeededFuture()
                : vertx.timer(LOOK_EVERY_MILLIS).compose(tick -> until(holds));
    }

    private Future<Verdict> judge(KillReceipt receipt) {
        return workers.executeBlocking(tree::living, false).map(left -> verdict(receipt, left));
    }

    private Verdict verdict(KillReceipt receipt, List<Identity> left) {
        if (!left.isEmpty() || receipt.outcome() != KillReceipt.Outcome.gone) {
            return new Verdict(kind, false, left.size() + " processes of the tree survived the stop");
        }
        Optional<String> how = receipt.processes().stream()
                .map(KillReceipt.KilledProcess::foundBy)
                .distinct()
                .sorted()
                .reduce((one, other) -> one + ", " + other);
        return new Verdict(
                kind,
                true,
                "a trial stopped " + receipt.processes().size() + " processes that " + kind.hiding() + "; found by "
                        + how.orElse("nothing"));
    }
}
