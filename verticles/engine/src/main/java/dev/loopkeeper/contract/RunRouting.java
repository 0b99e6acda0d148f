package dev.loopkeeper.contract;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** Port: routes a command to the owner of a run, which may be another node. */
@FunctionalInterface
public interface RunRouting {
    /** Executes every command here, without other nodes. */
    RunRouting HERE = (action, runId, command, here) -> here.get();

    /**
     * Executes the command once: by {@code here} if this node owns the run, else on its owner, and returns the answer.
     * Refused with {@code node-unreachable} if the owner does not answer.
     *
     * @param action last part of the command's address, e.g. {@code stop}
     */
    Future<RunAnswer> route(String action, String runId, Record command, Supplier<Future<RunAnswer>> here);
}
