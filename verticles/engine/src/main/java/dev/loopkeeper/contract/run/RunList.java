package dev.loopkeeper.contract.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** Answer: run objects of the API. */
public record RunList(List<JsonNode> runs, Optional<String> nextCursor) {}
