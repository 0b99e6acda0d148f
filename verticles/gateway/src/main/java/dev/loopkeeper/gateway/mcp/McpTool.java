package dev.loopkeeper.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.manifest.read.DurationText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One tool of the table {@code mcp.json}: an operation of the API, with the schemas and texts for models. */
record McpTool(JsonNode row) {
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
    private static final String WAIT = "wait";
    private static final String RUN = "runId";

    String name() {
        return row.at("/tool/name").asText();
    }

    boolean isReadOnly() {
        return row.at("/tool/annotations/readOnlyHint").asBoolean();
    }

    /** The properties of the schema of arguments. */
    ObjectNode properties() {
        return (ObjectNode) row.at("/tool/inputSchema/properties");
    }

    /** Performs the operation with these arguments. */
    CompletionStage<JsonNode> call(McpApi api, ObjectNode given) {
        ObjectNode arguments = withDefaults(given);
        return complete(api, arguments).thenCompose(all -> {
            String path = path(arguments);
            String query = query(arguments);
            String target = path + (query.isEmpty() ? "" : (path.contains("?") ? "&" : "?") + query);
            boolean post = row.path("method").asText().equals("POST");
            return api.call(row.path("method").asText(), target, post ? Optional.of(arguments) : Optional.empty());
        });
    }

    /** Adds the defaults of the schema, and bounds the wait. */
    private ObjectNode withDefaults(ObjectNode given) {
        ObjectNode arguments = given.deepCopy();
        properties().properties().forEach(property -> {
            if (!arguments.has(property.getKey()) && property.getValue().has("default")) {
                arguments.set(property.getKey(), property.getValue().get("default"));
            }
        });
        if (arguments.has(WAIT)) {
            DurationText.parse(arguments.path(WAIT).asText())
                    .filter(wait -> wait.compareTo(McpLimits.LONGEST_WAIT) > 0)
                    .ifPresent(wait -> arguments.put(WAIT, McpLimits.LONGEST_WAIT.toSeconds() + "s"));
        }
        return arguments;
    }

    /** Adds an id that the client left out, where the run has exactly one. */
    private CompletionStage<ObjectNode> complete(McpApi api, ObjectNode arguments) {
        for (var sought : row.path("find").properties()) {
            if (!arguments.has(sought.getKey()) && arguments.path(RUN).isTextual()) {
                String run = "/runs/" + encoded(arguments.path(RUN).asText());
                return api.call("GET", run, Optional.empty())
                        .thenApply(found ->
                                arguments.put(sought.getKey(), only(found, sought.getKey(), sought.getValue())));
            }
        }
        return CompletableFuture.completedStage(arguments);
    }

    private static String only(JsonNode run, String name, JsonNode members) {
        for (JsonNode member : members) {
            List<String> found = run.path(member.asText()).findValuesAsText(name);
            if (found.size() > 1) {
                throw new ToolFailure(
                        "the run has several; call again with " + name + ", one of " + String.join(", ", found));
            }
            if (found.size() == 1 && !found.get(0).equals("null")) {
                return found.get(0);
            }
        }
        throw new ToolFailure("the run has no " + name + " yet; call show for its state");
    }

    /** Returns the path with its parameters, and removes them from the arguments. */
    private String path(ObjectNode arguments) {
        Matcher parameters = PARAMETER.matcher(row.path("path").asText());
        return parameters.replaceAll(parameter -> {
            JsonNode value = arguments.remove(parameter.group(1));
            if (value == null || value.asText().isEmpty()) {
                throw new ToolFailure(parameter.group(1) + " is missing; call " + name() + " again with it");
            }
            return Matcher.quoteReplacement(encoded(value.asText()));
        });
    }

    /** Returns the query, and removes its parameters from the arguments: all of a GET, of others the wait. */
    private String query(ObjectNode arguments) {
        boolean get = row.path("method").asText().equals("GET");
        List<String> query = new ArrayList<>();
        for (var argument : List.copyOf(arguments.properties())) {
            if (get || argument.getKey().equals(WAIT)) {
                query.add(encoded(argument.getKey()) + "=" + encoded(text(argument.getValue())));
                arguments.remove(argument.getKey());
            }
        }
        return String.join("&", query);
    }

    private static String text(JsonNode value) {
        if (!value.isArray()) {
            return value.asText();
        }
        List<String> words = new ArrayList<>();
        value.forEach(word -> words.add(word.asText()));
        return String.join(",", words);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the structured content of this answer, at most {@link McpLimits#RESULT_BYTES} long. */
    ObjectNode structured(JsonNode answer) {
        return ResultSize.fitted((ObjectNode) answer, row.path("readOn").asText(), row.path("page"));
    }

    /** Returns a short text about this content. */
    String text(ObjectNode content) {
        String text = ToolText.of(row.path("text"), content);
        String shown = text.isEmpty()
                ? row.path("none").asText(row.path("tool").path("title").asText())
                : text;
        String cut = content.path(ResultSize.MARK).asText();
        return ResultSize.cut(cut.isEmpty() ? shown : shown + "\n" + cut, McpLimits.RESULT_BYTES);
    }
}
