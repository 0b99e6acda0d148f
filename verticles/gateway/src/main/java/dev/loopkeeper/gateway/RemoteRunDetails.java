package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.contract.SchedulerChannels.RunActivity;
import dev.loopkeeper.run.RunStatus;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Adds to a run's record what only the node that executes it knows. Never fails. */
record RemoteRunDetails(ClusterClient cluster, LoadedRuns loaded) {
    /** Statuses in which a run may have a running step. */
    private static final Set<String> AT_WORK = Set.of(RunStatus.RUNNING.wire(), RunStatus.STOPPING.wire());

    private static final String PID = "pid";

    /** Returns the run object with the activity of its newest step. */
    Future<JsonNode> run(String runId, JsonNode run) {
        String owner = run.path("owner").path("node").asText();
        if (loaded.find(runId).isPresent()
                || owner.isEmpty()
                || !AT_WORK.contains(run.path("status").asText())) {
            return Future.succeededFuture(run);
        }
        return cluster.activity(owner, runId).map(activity -> LoadedRuns.with(run, activity.activity()));
    }

    /** Adds the node that a run waits for to its explanation. */
    static JsonNode waiting(JsonNode explanation, JsonNode run) {
        String node = run.path("waitsFor").asText();
        if (node.isEmpty() || !(explanation.deepCopy() instanceof ObjectNode copy)) {
            return explanation;
        }
        return copy.put("summary", copy.path("summary").asText() + "; waits for " + node);
    }

    /** Returns a step, or a list of steps, with the process ids of running ones. */
    Future<JsonNode> steps(String runId, JsonNode document) {
        Optional<JsonNode> running = loaded.find(runId).isPresent()
                ? Optional.empty()
                : steps(document).filter(RemoteRunDetails::isRunning).findFirst();
        if (running.isEmpty()) {
            return Future.succeededFuture(document);
        }
        return cluster.elsewhere(runId, running.get().path("stepId").asText())
                .compose(node -> node.map(there -> cluster.activity(there.node(), runId))
                        .orElseGet(() -> Future.succeededFuture(RunActivity.NOTHING)))
                .otherwise(RunActivity.NOTHING)
                .map(activity -> activity.pids().isEmpty() ? document : with(document, activity.pids()));
    }

    private static Stream<JsonNode> steps(JsonNode document) {
        return document.has("steps") ? document.path("steps").valueStream() : Stream.of(document);
    }

    private static boolean isRunning(JsonNode step) {
        return step.path("endedAt").isNull() && step.path(PID).isNull();
    }

    private static JsonNode with(JsonNode document, Map<String, Long> pids) {
        JsonNode copy = document.deepCopy();
        steps(copy).filter(RemoteRunDetails::isRunning).forEach(step -> {
            Long pid = pids.get(step.path("stepId").asText());
            if (pid != null && step instanceof ObjectNode known) {
                known.put(PID, pid);
            }
        });
        return copy;
    }
}
