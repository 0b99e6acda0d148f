package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.run.Doing;
import dev.loopkeeper.contract.run.LoadedRuns;
import dev.loopkeeper.run.RunStatus;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Adds to what is recorded of a run what only the node knows that carries it out. Never fails. */
final class CarriedElsewhere {
    /** In which a run may have a living step. */
    private static final Set<String> AT_WORK = Set.of(RunStatus.RUNNING.wire(), RunStatus.STOPPING.wire());

    private static final String PID = "pid";

    private final ClusterClient cluster;
    private final LoadedRuns loaded;

    CarriedElsewhere(ClusterClient cluster, LoadedRuns loaded) {
        this.cluster = cluster;
        this.loaded = loaded;
    }

    /** The run object with what its newest step does. */
    Future<JsonNode> run(String runId, JsonNode run) {
        String owner = run.path("owner").path("node").asText();
        if (loaded.find(runId).isPresent()
                || owner.isEmpty()
                || !AT_WORK.contains(run.path("status").asText())) {
            return Future.succeededFuture(run);
        }
        return cluster.doing(owner, runId).map(doing -> LoadedRuns.with(run, doing.activity()));
    }

    /** Why a run is where it is, with the node that it waits for. */
    static JsonNode waiting(JsonNode explanation, JsonNode run) {
        String node = run.path("waitsFor").asText();
        if (node.isEmpty() || !(explanation.deepCopy() instanceof ObjectNode told)) {
            return explanation;
        }
        return told.put("summary", told.path("summary").asText() + "; waits for " + node);
    }

    /** A step, or a list of steps, with the processes of those that run. */
    Future<JsonNode> steps(String runId, JsonNode document) {
        Optional<JsonNode> running = loaded.find(runId).isPresent()
                ? Optional.empty()
                : steps(document).filter(CarriedElsewhere::isRunning).findFirst();
        if (running.isEmpty()) {
            return Future.succeededFuture(document);
        }
        return cluster.elsewhere(runId, running.get().path("stepId").asText())
                .compose(node -> node.map(there -> cluster.doing(there.node(), runId))
                        .orElseGet(() -> Future.succeededFuture(Doing.NOTHING)))
                .otherwise(Doing.NOTHING)
                .map(doing -> doing.pids().isEmpty() ? document : with(document, doing.pids()));
    }

    private static Stream<JsonNode> steps(JsonNode document) {
        return document.has("steps") ? document.path("steps").valueStream() : Stream.of(document);
    }

    private static boolean isRunning(JsonNode step) {
        return step.path("endedAt").isNull() && step.path(PID).isNull();
    }

    private static JsonNode with(JsonNode document, Map<String, Long> pids) {
        JsonNode copy = document.deepCopy();
        steps(copy).filter(CarriedElsewhere::isRunning).forEach(step -> {
            Long pid = pids.get(step.path("stepId").asText());
            if (pid != null && step instanceof ObjectNode known) {
                known.put(PID, pid);
            }
        });
        return copy;
    }
}
