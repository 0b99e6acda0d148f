package dev.loopkeeper.process.tree;

import dev.loopkeeper.contract.process.KillReceipt;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.manifest.StopSpec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ends a command that is no step, with everything that it started, by the sweep that steps are ended by: also what forked
 * twice or took a session of its own. Used from one context.
 */
public final class CommandSweep {
    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final String runId;
    private final String nonce;

    /**
     * For one command that is about to be started for this run.
     *
     * @param nonce which it has, and nothing else that may run at the same time
     */
    public CommandSweep(Vertx vertx, WorkerExecutor workers, String runId, String nonce) {
        this.vertx = vertx;
        this.workers = workers;
        this.runId = runId;
        this.nonce = nonce;
    }

    /** The nonces that begin so, of commands of which something lives. */
    public static Future<Set<String>> living(Vertx vertx, WorkerExecutor workers, String beginning) {
        return look(vertx, workers)
                .compose(context -> context.scanner().take())
                .map(snapshot -> snapshot.processes().stream()
                        .filter(seen -> seen.stat().living())
                        .map(ProcessSnapshot.Seen::nonce)
                        .filter(nonce -> nonce.startsWith(beginning))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Marks the command and its descendants; to be laid over its environment. */
    public void mark(Map<String, String> environment) {
        environment.put(StepEnvironment.NONCE, nonce);
        // What has a data folder and no open step is a stray, which reap would end.
        environment.remove(StepEnvironment.DATA);
    }

    /** Kills all of it at once; completes when nothing is left, or names in the receipt what will not go. */
    public Future<KillReceipt> kill(Process command) {
        // A process that ended meanwhile has passed its pid on, perhaps.
        return look(vertx, workers)
                .compose(context -> kill(
                        context, command.isAlive() ? context.processes().identity(command.pid()) : Optional.empty()));
    }

    /** The same for what a former runtime has left of it. */
    public Future<KillReceipt> killOutlived() {
        return look(vertx, workers).compose(context -> kill(context, Optional.empty()));
    }

    private static Future<TreeContext> look(Vertx vertx, WorkerExecutor workers) {
        return workers.executeBlocking(
                () -> TreeContext.of(vertx, workers, SmallFiles.REAL, TreeContext.KILL_PATIENCE), false);
    }

    private Future<KillReceipt> kill(TreeContext context, Optional<Identity> leader) {
        ProcessTree tree = new ProcessTree(nonce, leader, leader.isPresent(), Optional.empty());
        return new TreeEnding(context, runId, Optional.empty(), tree, StopSpec.DEFAULTS)
                .begin(true)
                .receipt();
    }
}
