package dev.loopkeeper.contract.run;

import io.vertx.core.Future;
import java.util.function.Supplier;

/** Port: where a command to a run is carried out, which another node may own. */
@FunctionalInterface
public interface RunRouting {
    /** Without other nodes. */
    RunRouting HERE = (verb, runId, command, here) -> here.get();

    /**
     * Carries the command out once: by {@code here} where this node owns the run, else by its owner, whose answer this is.
     * Refused with {@code node-unreachable} when the owner does not answer.
     *
     * @param verb last part of the command's address, e.g. {@code stop}
     */
    Future<RunAnswer> route(String verb, String runId, Record command, Supplier<Future<RunAnswer>> here);
}
