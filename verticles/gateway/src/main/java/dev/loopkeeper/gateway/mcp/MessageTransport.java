package dev.loopkeeper.gateway.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.ProtocolVersions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/** Hands single messages to the SDK's stateless server. */
final class MessageTransport implements McpStatelessServerTransport {
    static final List<String> VERSIONS = List.of(
            ProtocolVersions.MCP_2024_11_05,
            ProtocolVersions.MCP_2025_03_26,
            ProtocolVersions.MCP_2025_06_18,
            ProtocolVersions.MCP_2025_11_25);

    private final McpJsonMapper mapper;
    private volatile McpStatelessServerHandler handler;

    MessageTransport(McpJsonMapper mapper) {
        this.mapper = mapper;
    }

    McpJsonMapper mapper() {
        return mapper;
    }

    @Override
    public void setMcpHandler(McpStatelessServerHandler mcpHandler) {
        handler = mcpHandler;
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    @Override
    public List<String> protocolVersions() {
        return VERSIONS;
    }

    /** Returns the answer to a request as JSON, an error for what is no message, and nothing for a notification. */
    CompletionStage<Optional<String>> answer(String text, McpTransportContext context) {
        Object id = null;
        try {
            McpSchema.JSONRPCMessage message = McpSchema.deserializeJsonRpcMessage(mapper, text);
            if (message instanceof McpSchema.JSONRPCRequest request) {
                id = request.id();
                return handler.handleRequest(context, request)
                        .map(response -> Optional.of(written(response)))
                        .toFuture();
            }
            // The server has no use for notifications, and as a stateless one sends no requests.
            return CompletableFuture.completedStage(Optional.empty());
        } catch (IOException | RuntimeException unreadable) {
            return CompletableFuture.completedStage(Optional.of(refusal(id, unreadable)));
        }
    }

    /** JSON-RPC answers what it cannot read with the id null, which the SDK's type does not permit. */
    private String refusal(Object id, Exception unreadable) {
        String why = "the message is not JSON-RPC 2.0";
        int code = ErrorCodes.INVALID_REQUEST;
        if (unreadable instanceof IOException) {
            why = "the message is not a JSON object";
            code = ErrorCodes.PARSE_ERROR;
        } else if (id != null) {
            why = "the params are missing or of another method";
            code = ErrorCodes.INVALID_PARAMS;
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", McpSchema.JSONRPC_VERSION);
        answer.put("id", id);
        answer.put("error", Map.of("code", code, "message", why));
        return written(answer);
    }

    private String written(Object message) {
        try {
            return mapper.writeValueAsString(message);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
