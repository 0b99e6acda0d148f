package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads opencode's run --format json: each {@code step_finish} adds to the sums. A final one, {@code done}, or an
 * {@code error} after the start of the last step is the final record.
 */
final class OpenCode extends Dialect {
    private long fresh;
    private long cached;
    private long cacheWritten;

    OpenCode() {
        super(
                fields(),
                Set.of("step_start", "step_finish", "error", "done"),
                new SpokenText.Speech(Set.of("text"), WantedFields.of("part"), OpenCode::said),
                OpenCodeWords::new);
    }

    private static WantedFields fields() {
        WantedFields headers = WantedFields.of("retry-after", "Retry-After", "retry-after-ms", "x-ratelimit-reset");
        WantedFields data = WantedFields.of("message", "statusCode", "isRetryable", "responseBody")
                .with("responseHeaders", headers);
        return WantedFields.of("type", "sessionID", "reason", "rejected")
                .with("part", WantedFields.of("reason", "cost", "tokens"))
                .with("error", WantedFields.of("name", "message").with("data", data));
    }

    @Override
    void event(ObjectNode event) {
        sessionId = JsonFields.text(event, "sessionID").or(() -> sessionId);
        switch (event.path("type").asText("")) {
            case "step_start" -> started();
            case "step_finish" -> stepFinished(event.path("part"));
            case "error" -> ending = Optional.of(failure(event.path("error")));
            case "done" -> done(event.path("rejected"));
            default -> {
                // Ignores texts, tools and event types of newer versions.
            }
        }
    }

    /** All counts are beside each other; the output names no model. */
    @Override
    List<ModelTokens> tokens() {
        return turns.isEmpty()
                ? List.of()
                : List.of(new ModelTokens(Optional.empty(), fresh, cached, cacheWritten, output.orElse(0)));
    }

    private void started() {
        worked = true;
        ending = Optional.empty();
    }

    private void stepFinished(JsonNode part) {
        JsonNode tokens = part.path("tokens");
        JsonNode cache = tokens.path("cache");
        turns = Usage.sum(turns, OptionalLong.of(1));
        input = Usage.sum(
                input,
                JsonFields.count(tokens, "input"),
                JsonFields.count(cache, "read"),
                JsonFields.count(cache, "write"));
        fresh += JsonFields.count(tokens, "input").orElse(0);
        cached += JsonFields.count(cache, "read").orElse(0);
        cacheWritten += JsonFields.count(cache, "write").orElse(0);
        output = Usage.sum(output, JsonFields.count(tokens, "output"), JsonFields.count(tokens, "reasoning"));
        JsonFields.amount(part, "cost").stream().forEach(more -> cost = OptionalDouble.of(cost.orElse(0) + more));
        ending = meaning(JsonFields.text(part, "reason").orElse("tool-calls"));
    }

    /** A step that ends with tool calls is followed by another. */
    private static Optional<FinalRecord> meaning(String reason) {
        return switch (reason) {
            case "stop" -> Optional.of(FinalRecord.success());
            case "tool-calls" -> Optional.empty();
            default ->
                Optional.of(FinalRecord.ended(StandardReason.EXECUTION_ERROR)
                        .withError(StructuredError.text("the last step ended with reason " + reason))
                        .withStopReason(Optional.of(reason)));
        };
    }

    /** An idle session succeeded unless its last step reported otherwise. */
    private void done(JsonNode rejected) {
        FinalRecord record = ending.orElseGet(FinalRecord::success);
        boolean refused = rejected.isArray() && !rejected.isEmpty();
        ending = Optional.of(refused ? record.withDiagnostic(Optional.of("permissions rejected: " + rejected)) : record)
                .map(result -> result.withDenied(rejected, OpenCode::permission));
    }

    private static String permission(JsonNode rejected) {
        return JsonFields.text(rejected, "permission")
                .orElseGet(() -> rejected.isTextual() ? rejected.textValue() : rejected.toString());
    }

    private static FinalRecord failure(JsonNode error) {
        JsonNode data = error.path("data");
        String message = JsonFields.text(data, "message")
                .or(() -> JsonFields.text(error, "message"))
                .orElse("");
        Optional<String> name = JsonFields.text(error, "name");
        StructuredError structured = StructuredError.text(message)
                .withDetail(headers(data.path("responseHeaders"))
                        + JsonFields.text(data, "responseBody").orElse(""))
                .withCode(name)
                .withHttpStatus(JsonFields.status(data, "statusCode"))
                .withRetryable(JsonFields.flag(data, "isRetryable"));
        return FinalRecord.failed(structured).withStopReason(name);
    }

    /** Headers that state a retry time, one per line. */
    private static String headers(JsonNode headers) {
        StringBuilder lines = new StringBuilder();
        headers.properties()
                .forEach(header -> lines.append(header.getKey())
                        .append(": ")
                        .append(header.getValue().asText())
                        .append('\n'));
        return lines.toString();
    }

    private static void said(ObjectNode event, SpokenText text) {
        JsonNode part = event.path("part");
        if (!part.path("synthetic").asBoolean()) {
            text.says(part.path("text").asText());
        }
    }
}
