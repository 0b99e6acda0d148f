package dev.loopkeeper.process.tree;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.manifest.StopSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ends a command that is not a step, with all its descendants, by the scan that ends steps. It also finds processes
 * that forked twice or created a session. Used from one context.
 */
public final class CommandSweep {
    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final String runId;
    private final String nonce;
    private Optional<Identity> leader = Optional.empty();

    /**
     * For a command that is about to be started for this run.
     *
     * @param nonce unique among running commands and steps
     */
    public CommandSweep(Vertx vertx, WorkerExecutor workers, String runId, String nonce) {
        this.vertx = vertx;
        this.workers = workers;
        this.runId = runId;
        this.nonce = nonce;
    }

    /** Returns the nonces with this prefix that living processes have. */
    public static Future<Set<String>> living(Vertx vertx, WorkerExecutor workers, String beginning) {
        return look(vertx, workers)
                .compose(context -> context.scanner().take())
                .map(snapshot -> snapshot.processes().stream()
                        .filter(seen -> seen.stat().living())
                        .map(ProcessSnapshot.Seen::nonce)
                        .filter(nonce -> nonce.startsWith(beginning))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Adds the mark of the command and its descendants to its environment. */
    public void mark(Map<String, String> environment) {
        environment.put(StepEnvironment.NONCE, nonce);
        // With the data folder's mark and no open step it would be an orphan, which reap ends.
        environment.remove(StepEnvironment.DATA);
    }

    /** Notes the command, which leads its session, right after its start. Blocks. */
    public void begun(Process command) throws IOException {
        leader = context(vertx, workers).processes().identity(command.pid());
    }

    /**
     * Kills the command, or what an earlier runtime left of it, with its session and descendants. Completes when none is
     * left; the receipt names those that could not be killed.
     */
    public Future<KillReceipt> kill() {
        return look(vertx, workers).compose(this::kill);
    }

    private static Future<TreeContext> look(Vertx vertx, WorkerExecutor workers) {
        return workers.executeBlocking(() -> context(vertx, workers), false);
    }

    private static TreeContext context(Vertx vertx, WorkerExecutor workers) throws IOException {
        return TreeContext.of(vertx, workers, SmallFiles.REAL, TreeContext.KILL_PATIENCE);
    }

    private Future<KillReceipt> kill(TreeContext context) {
        ProcessTree tree = new ProcessTree(nonce, leader, leader.isPresent(), Optional.empty());
        return new ProcessTreeTermination(context, runId, Optional.empty(), tree, StopSpec.DEFAULTS)
                .begin(true)
                .receipt();
    }
}
