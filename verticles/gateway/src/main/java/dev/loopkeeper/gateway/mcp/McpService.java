package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.work.Release;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncPromptSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/**
 * A server of the Model Context Protocol without a transport: answers one message at a time. Thread-safe; keeps no
 * state between messages.
 */
public final class McpService {
    /** The beginning of the answer to what is no message. */
    public static final String UNREADABLE = "{\"jsonrpc\":\"2.0\",\"id\":null";

    private static final JsonMapper PLAIN = JsonMapper.builder().build();
    private static final String API = "api";
    private static final String SCHEME = "loopkeeper:/";
    private static final String LOG_LINES = "?view=readable&tail=200";

    private final MessageTransport transport = new MessageTransport(new JacksonMcpJsonMapper(PLAIN));

    private McpService() {}

    /** Returns the known versions of the protocol, the oldest first. */
    public static List<String> versions() {
        return MessageTransport.VERSIONS;
    }

    /** Performs one tool. */
    public interface Work {
        /** Returns the document of the answer; fails with {@link ToolFailure} if there is none. */
        CompletionStage<JsonNode> call(McpApi api, ObjectNode arguments);
    }

    /**
     * Creates the service for clients outside of steps.
     *
     * @param readOnly whether only tools are offered that change nothing
     * @param local performs some tools in another way than the table
     */
    public static McpService outside(boolean readOnly, LocalTools local) {
        List<McpTool> tools = McpTable.tools();
        if (local == LocalTools.NONE) {
            tools.forEach(tool -> tool.properties().remove("path"));
        }
        McpService service = new McpService();
        var ignored = service.builder(tools, readOnly, local)
                .capabilities(McpSchema.ServerCapabilities.builder()
                        .tools(false)
                        .resources(false, false)
                        .prompts(false)
                        .build())
                .resourceTemplates(
                        template("runs/{id}", "run", "application/json", "One run, as the tool show reads it."),
                        template("runs/{id}/steps/{stepId}/log", "log", "text/plain", "What the agent of a step said."))
                .prompts(prompts())
                .build();
        return service;
    }

    /**
     * Creates the service inside a step.
     *
     * @param signalFields properties of the schema of signals
     */
    public static McpService inStep(boolean readOnly, LocalTools local, ObjectNode signalFields) {
        List<McpTool> tools = McpTable.ofStep();
        tools.stream()
                .filter(tool -> tool.name().equals("signal"))
                .forEach(tool -> tool.properties().setAll(signalFields));
        McpService service = new McpService();
        var ignored = service.builder(tools, readOnly, local)
                .capabilities(
                        McpSchema.ServerCapabilities.builder().tools(false).build())
                .build();
        return service;
    }

    /** Chooses how a tool is performed. */
    public interface LocalTools {
        /** Every tool as the table says. */
        LocalTools NONE = (name, usual) -> usual;

        Work of(String name, Work usual);
    }

    private McpServer.StatelessAsyncSpecification builder(List<McpTool> tools, boolean readOnly, LocalTools local) {
        return McpServer.async(transport)
                .serverInfo("loopkeeper", Release.version())
                .tools(tools.stream()
                        .filter(tool -> !readOnly || tool.isReadOnly())
                        .map(tool -> specification(tool, local.of(tool.name(), tool::call)))
                        .toList())
                .jsonMapper(transport.mapper())
                // The API checks requests by name and type; its answers are tested against its document.
                .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(""))
                .validateToolInputs(false);
    }

    /** Returns the answer to one JSON-RPC message; empty for a notification. Never fails. */
    public CompletionStage<Optional<String>> answer(String message, McpApi api) {
        return transport.answer(message, McpTransportContext.create(Map.of(API, api)));
    }

    private static McpApi api(McpTransportContext context) {
        return (McpApi) context.get(API);
    }

    private static AsyncToolSpecification specification(McpTool tool, Work work) {
        McpSchema.Tool described = PLAIN.convertValue(tool.row().path("tool"), McpSchema.Tool.class);
        return new AsyncToolSpecification(
                described, (context, request) -> Mono.fromCompletionStage(() -> result(tool, work, context, request)));
    }

    private static CompletionStage<McpSchema.CallToolResult> result(
            McpTool tool, Work work, McpTransportContext context, McpSchema.CallToolRequest request) {
        Map<String, Object> given = Optional.ofNullable(request.arguments()).orElse(Map.of());
        ObjectNode arguments = PLAIN.valueToTree(given);
        return CompletableFuture.completedFuture(arguments)
                .thenCompose(all -> work.call(api(context), all))
                .orTimeout(McpLimits.LONGEST_CALL.toSeconds(), TimeUnit.SECONDS)
                .thenApply(answer -> {
                    ObjectNode content = tool.structured(answer);
                    return McpSchema.CallToolResult.builder()
                            .addTextContent(tool.text(content))
                            .structuredContent(PLAIN.convertValue(content, new TypeReference<Map<String, Object>>() {}))
                            .isError(false)
                            .build();
                })
                .exceptionally(failure -> McpSchema.CallToolResult.builder()
                        .addTextContent(ResultSize.cut(message(failure), McpLimits.RESULT_BYTES))
                        .isError(true)
                        .build());
    }

    private static String message(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof TimeoutException) {
            return "the server did not answer within " + McpLimits.LONGEST_CALL.toSeconds()
                    + " s; the change may still happen: call show to see";
        }
        return cause instanceof ToolFailure expected ? expected.getMessage() : "internal error: " + cause;
    }

    private static AsyncResourceTemplateSpecification template(
            String path, String name, String type, String description) {
        var described = PLAIN.convertValue(
                Map.of(
                        "uriTemplate",
                        "loopkeeper://" + path,
                        "name",
                        name,
                        "description",
                        description,
                        "mimeType",
                        type),
                McpSchema.ResourceTemplate.class);
        return new AsyncResourceTemplateSpecification(
                described,
                (context, request) -> Mono.fromCompletionStage(() -> read(api(context), request.uri(), type)));
    }

    private static CompletionStage<McpSchema.ReadResourceResult> read(McpApi api, String uri, String type) {
        String path = uri.substring(SCHEME.length());
        boolean log = type.equals("text/plain");
        McpTool tool = McpTable.tools().stream()
                .filter(each -> each.name().equals(log ? "logs" : "show"))
                .findFirst()
                .orElseThrow();
        CompletionStage<JsonNode> found = api.call("GET", log ? path + LOG_LINES : path, Optional.empty())
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedStage(McpError.builder(McpSchema.ErrorCodes.RESOURCE_NOT_FOUND)
                                .message(message(failure))
                                .build()));
        return found.thenApply(answer -> {
            ObjectNode content = tool.structured(answer);
            String text = log ? tool.text(content) : content.toString();
            return PLAIN.convertValue(
                    Map.of("contents", List.of(Map.of("uri", uri, "mimeType", type, "text", text))),
                    McpSchema.ReadResourceResult.class);
        });
    }

    private static List<AsyncPromptSpecification> prompts() {
        List<AsyncPromptSpecification> prompts = new ArrayList<>();
        for (JsonNode row : McpTable.prompts()) {
            ObjectNode described = ((ObjectNode) row.deepCopy()).without("text");
            prompts.add(new AsyncPromptSpecification(
                    PLAIN.convertValue(described, McpSchema.Prompt.class),
                    (context, request) -> Mono.fromSupplier(() -> filled(row, request.arguments()))));
        }
        return prompts;
    }

    private static McpSchema.GetPromptResult filled(JsonNode row, Map<String, Object> arguments) {
        String text = row.path("text").asText();
        for (JsonNode argument : row.path("arguments")) {
            String name = argument.path("name").asText();
            Object value = arguments == null ? null : arguments.get(name);
            text = text.replace("{" + name + "}", value == null ? "(" + name + ")" : value.toString());
        }
        return PLAIN.convertValue(
                Map.of(
                        "description",
                        row.path("description").asText(),
                        "messages",
                        List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", text)))),
                McpSchema.GetPromptResult.class);
    }
}
