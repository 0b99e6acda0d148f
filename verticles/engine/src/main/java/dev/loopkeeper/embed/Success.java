package dev.loopkeeper.embed;

import dev.loopkeeper.termination.ConsumerReason;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.TerminalExhaustion;
import dev.loopkeeper.termination.TerminalExhaustionException;
import dev.loopkeeper.termination.Termination;
import dev.loopkeeper.termination.TerminationReason;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Turns a run that ended without success into a failure. */
final class Success {
    private Success() {}

    /** @param run a run that has ended */
    static Future<Run> require(Run run) {
        return run.termination()
                .filter(ending -> !ending.success())
                .<Future<Run>>map(ending -> Future.failedFuture(exhaustion(run, ending)))
                .orElseGet(() -> Future.succeededFuture(run));
    }

    private static TerminalExhaustionException exhaustion(Run run, Termination ending) {
        return new TerminalExhaustionException(reason(ending), ending.summary(), metadata(run, ending));
    }

    private static TerminationReason reason(Termination ending) {
        return StandardReason.ofSubtype(ending.subtype())
                .<TerminationReason>map(reason -> reason)
                .orElseGet(() -> new ConsumerReason(
                        ending.reasonCode().orElse(ending.subtype()),
                        ending.category(),
                        ending.advice().orElse("")));
    }

    private static Map<String, String> metadata(Run run, Termination ending) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("runId", run.runId());
        facts.put("subtype", ending.subtype());
        ending.reasonCode().ifPresent(code -> facts.put("reasonCode", code));
        ending.advice().ifPresent(advice -> facts.put("advice", advice));
        Optional<TerminalExhaustion> record = run.terminalExhaustion();
        record.flatMap(TerminalExhaustion::phase).ifPresent(phase -> facts.put("phase", phase));
        record.flatMap(TerminalExhaustion::workUnit).ifPresent(unit -> facts.put("workUnit", unit));
        record.flatMap(TerminalExhaustion::taskId).ifPresent(task -> facts.put("taskId", task));
        record.flatMap(TerminalExhaustion::qualifier).ifPresent(text -> facts.put("qualifier", text));
        return facts;
    }
}
