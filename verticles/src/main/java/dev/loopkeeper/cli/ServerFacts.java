package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Facts that a server tells. */
final class ServerFacts implements RunFacts {
    private final Api api;

    ServerFacts(Api api) {
        this.api = api;
    }

    @Override
    public JsonNode list(Set<String> statuses, int limit) {
        String filter = statuses.isEmpty() ? "" : "&status=" + Api.encoded(String.join(",", statuses));
        return api.get("/runs?limit=" + limit + filter);
    }

    @Override
    public JsonNode run(String runId) {
        return api.get(Api.run(runId));
    }

    @Override
    public JsonNode explain(String runId) {
        return api.get(Api.run(runId) + "/explain");
    }

    @Override
    public List<String> steps(String runId) {
        List<String> ids = new ArrayList<>();
        api.get(Api.run(runId) + "/steps")
                .path("steps")
                .forEach(step -> ids.add(step.path("stepId").asText()));
        return ids;
    }

    @Override
    public void log(String runId, String stepId, String stream, LogWish wish, LogSink sink) {
        LogDownload.to(sink, api, runId, stepId, stream, wish);
    }

    @Override
    public void close() {
        // The session closes what this uses.
    }
}
