package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Calls the HTTP API in the name of one client. */
public interface McpApi {
    /**
     * Sends one request.
     *
     * @param path below the base, with its query
     * @return the document of the answer; fails with {@link ToolFailure} if the server refused or did not answer
     */
    CompletionStage<JsonNode> call(String method, String path, Optional<JsonNode> body);
}
