package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.view.RunOutline;
import java.util.List;
import java.util.Optional;

/** Answer: run objects of the API. */
public record RunList(List<JsonNode> runs, Optional<String> nextCursor) {
    /** Returns the outlines of runs whose record is not damaged. */
    public List<RunOutline> outlines() {
        return runs.stream().flatMap(run -> ViewJson.outline(run).stream()).toList();
    }
}
