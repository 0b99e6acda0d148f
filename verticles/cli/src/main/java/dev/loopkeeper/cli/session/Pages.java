package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Runs;
import dev.loopkeeper.view.Step;
import dev.loopkeeper.view.StepPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads lists page by page. A page may hold fewer entries than requested, since its size in bytes is limited. */
final class Pages {
    private Pages() {}

    /** Reads one page of at most {@code limit} entries from a cursor on. */
    interface Source<P> {
        P page(Optional<String> cursor, int limit);
    }

    /** Returns up to {@code limit} runs, newest first. */
    static Document<Runs> runs(int limit, Source<JsonNode> source) {
        ArrayNode runs = Json.MAPPER.createArrayNode();
        Optional<String> next = Optional.empty();
        do {
            JsonNode page = source.page(next, limit - runs.size());
            page.path("runs").forEach(runs::add);
            next = Optional.ofNullable(page.path("nextCursor").textValue());
        } while (next.isPresent() && runs.size() < limit);
        ObjectNode all = Json.MAPPER.createObjectNode();
        all.set("runs", runs);
        return new Document<>(all.put("nextCursor", next.orElse(null)), Runs.class);
    }

    /** Returns up to {@code limit} of the newest steps, oldest first. */
    static List<Step> newestSteps(int limit, Source<StepPage> source) {
        List<Step> steps = new ArrayList<>();
        Optional<String> next = Optional.empty();
        do {
            StepPage page = source.page(next, limit - steps.size());
            steps.addAll(0, page.steps());
            next = page.nextCursor();
        } while (next.isPresent() && steps.size() < limit);
        return steps;
    }
}
