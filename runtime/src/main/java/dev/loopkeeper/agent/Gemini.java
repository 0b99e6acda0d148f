package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads Gemini CLI's json and stream-json: {@code result}, or the one object without a type, is the final record. In
 * json mode it prints a failure to stderr. Its exit codes have their own meaning; there is no cost.
 */
final class Gemini extends Dialect {
    private static final int AUTHENTICATION = 41;
    private static final int INPUT = 42;
    private static final int TURN_LIMIT = 53;
    private static final int CANCELLED = 130;
    /** An HTTP status as exit code, truncated to its last eight bits. */
    private static final Set<Integer> STATUSES = Set.of(400, 401, 403, 404, 408, 413, 422, 429, 500, 502, 503, 504);

    private Optional<FinalRecord> printed = Optional.empty();
    private Optional<String> model = Optional.empty();

    Gemini() {
        super(
                WantedFields.of(
                        "type",
                        "session_id",
                        "model",
                        "response",
                        "status",
                        "stats",
                        "error",
                        "severity",
                        "message",
                        "role"),
                Set.of("", "init", "message", "tool_use", "result", "error"),
                new SpokenText.Speech(
                        Set.of("", "message", "tool_use", "tool_result", "result"),
                        WantedFields.of("role", "content", "response"),
                        Gemini::said),
                GeminiWords::new);
    }

    @Override
    void event(ObjectNode event) {
        sessionId = JsonFields.text(event, "session_id").or(() -> sessionId);
        switch (event.path("type").asText("")) {
            case "" -> document(event);
            case "init" -> model = JsonFields.text(event, "model");
            case "result" -> result(event);
            case "message" -> {
                if (event.path("role").asText("").equals("assistant")) {
                    continued();
                }
            }
            case "tool_use" -> continued();
            case "error" -> failure = JsonFields.text(event, "message").map(StructuredError::text);
            default -> {
                // Ignores messages, tools and event types of newer versions.
            }
        }
    }

    private void continued() {
        worked = true;
        overcome();
    }

    @Override
    void diagnostic(ObjectNode event) {
        if (event.path("error").path("type").isTextual() && !event.has("type")) {
            sessionId = JsonFields.text(event, "session_id").or(() -> sessionId);
            printed = Optional.of(failed(event.path("error")));
        }
    }

    @Override
    Optional<FinalRecord> finalRecord() {
        return ending.or(() -> printed);
    }

    /** The type of every API failure is "unknown"; the exit code has the status. */
    @Override
    FinalRecord completed(FinalRecord record, int exitCode) {
        return record.error()
                .filter(error -> error.httpStatus().isEmpty())
                .flatMap(error -> status(exitCode).map(error::withHttpStatus))
                .map(record::withError)
                .orElse(record);
    }

    @Override
    boolean usesStderr() {
        return true;
    }

    private static Optional<OptionalInt> status(int exitCode) {
        return STATUSES.stream()
                .filter(status -> status % 256 == exitCode)
                .findFirst()
                .map(OptionalInt::of);
    }

    @Override
    Optional<FinalRecord> meaningOf(int exitCode, String stderr) {
        return switch (exitCode) {
            case AUTHENTICATION -> Optional.of(failedAs(ErrorKind.AUTH, stderr));
            case INPUT -> Optional.of(failedAs(ErrorKind.BAD_REQUEST, stderr));
            case TURN_LIMIT ->
                Optional.of(FinalRecord.ended(StandardReason.CONVERGENCE_LIMIT).withDiagnostic(Optional.of(stderr)));
            case CANCELLED -> Optional.of(failedAs(ErrorKind.ABORTED, stderr));
            default ->
                status(exitCode)
                        .map(status -> FinalRecord.failed(
                                StructuredError.text(LastWords.end(stderr)).withHttpStatus(status)));
        };
    }

    private void document(ObjectNode event) {
        if (event.path("error").isObject()) {
            ending = Optional.of(failed(event.path("error")));
        } else if (event.has("response") || event.has("stats")) {
            ending = Optional.of(FinalRecord.success());
        }
        models(event.path("stats").path("models"));
    }

    private void result(ObjectNode event) {
        JsonNode stats = event.path("stats");
        input = JsonFields.count(stats, "input_tokens");
        output = JsonFields.count(stats, "output_tokens");
        List<ModelTokens> perModel = stats.path("models")
                .propertyStream()
                .filter(each -> each.getValue().has("input_tokens"))
                .map(each -> streamed(Optional.of(each.getKey()), each.getValue()))
                .toList();
        tokens = !perModel.isEmpty() ? perModel : input.isEmpty() ? List.of() : List.of(streamed(model, stats));
        boolean success = event.path("status").asText("").equals("success")
                && !event.path("error").isObject();
        ending = Optional.of(success ? FinalRecord.success() : failed(event.path("error")));
    }

    /** The total is that of input, output and reasoning, which has no count of its own. */
    private static ModelTokens streamed(Optional<String> model, JsonNode stats) {
        long input = JsonFields.count(stats, "input_tokens").orElse(0);
        long output = JsonFields.count(stats, "output_tokens").orElse(0);
        long beside = JsonFields.count(stats, "total_tokens").orElse(0) - input;
        long cached = JsonFields.count(stats, "cached").orElse(0);
        return ModelTokens.within(model, input, cached, 0, Math.max(output, beside));
    }

    private void models(JsonNode models) {
        List<ModelTokens> perModel = new ArrayList<>();
        models.properties().forEach(each -> {
            JsonNode counts = each.getValue().path("tokens");
            OptionalLong prompt = JsonFields.count(counts, "prompt");
            OptionalLong said = Usage.sum(JsonFields.count(counts, "candidates"), JsonFields.count(counts, "thoughts"));
            input = Usage.sum(input, prompt);
            output = Usage.sum(output, said);
            perModel.add(ModelTokens.within(
                    Optional.of(each.getKey()),
                    prompt.orElse(0),
                    JsonFields.count(counts, "cached").orElse(0),
                    0,
                    said.orElse(0)));
        });
        tokens = List.copyOf(perModel);
    }

    private static FinalRecord failed(JsonNode error) {
        String message = JsonFields.text(error, "message").orElse("");
        Optional<String> type = JsonFields.text(error, "type");
        int code = error.path("code").asInt(0);
        if (code == TURN_LIMIT || type.filter("FatalTurnLimitedError"::equals).isPresent()) {
            return FinalRecord.ended(StandardReason.CONVERGENCE_LIMIT)
                    .withDiagnostic(Optional.of(message))
                    .withStopReason(type);
        }
        OptionalInt status = JsonFields.status(error, "code");
        StructuredError structured = StructuredError.text(message)
                .withHttpStatus(status)
                .withCode(
                        status.isPresent()
                                ? Optional.empty()
                                : codeOf(error, code).or(() -> type));
        return FinalRecord.failed(structured).withStopReason(type);
    }

    private static Optional<String> codeOf(JsonNode error, int code) {
        return switch (code) {
            case AUTHENTICATION -> Optional.of(ErrorKind.AUTH.wire());
            case INPUT -> Optional.of(ErrorKind.BAD_REQUEST.wire());
            case CANCELLED -> Optional.of(ErrorKind.ABORTED.wire());
            default -> JsonFields.text(error, "code");
        };
    }

    private static FinalRecord failedAs(ErrorKind kind, String stderr) {
        return FinalRecord.failed(StructuredError.code(kind.wire(), stderr));
    }

    /** Messages arrive in parts; any other event ends a message. */
    private static void said(ObjectNode event, SpokenText text) {
        boolean part = event.path("type").asText().equals("message")
                && event.path("role").asText().equals("assistant");
        if (part) {
            text.saysPart(event.path("content").asText());
        } else {
            text.says(event.path("response").asText());
        }
    }
}
