package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.RetryTimes;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.StandardReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Reads Claude Code's json and stream-json: the last {@code result} is the final record. API failures have subtype
 * success with {@code is_error}, which outranks the subtype.
 */
final class ClaudeCode extends Dialect {
    private static final Set<StandardReason> OWN_REASONS = Set.of(
            StandardReason.CONVERGENCE_LIMIT,
            StandardReason.BUDGET_EXCEEDED,
            StandardReason.STRUCTURED_OUTPUT,
            StandardReason.EXECUTION_ERROR);
    private static final Set<String> HALTS = Set.of("hook_stopped", "stop_hook_prevented");
    private static final Set<String> OVERFLOWS = Set.of("prompt_too_long", "rapid_refill_breaker");
    private static final int TOO_MANY = 429;
    /** The year 2001: a smaller number, e.g. 0, is no time. */
    private static final long EPOCH_FROM = 1_000_000_000L;

    private static final long MILLISECONDS_FROM = 100_000_000_000L;

    private static final WantedFields FIELDS = WantedFields.of(
                    "type",
                    "subtype",
                    "is_error",
                    "num_turns",
                    "result",
                    "errors",
                    "session_id",
                    "total_cost_usd",
                    "usage",
                    "modelUsage",
                    "model",
                    "terminal_reason",
                    "api_error_status",
                    "api_error",
                    "is_api_error_message",
                    "api_error_params",
                    "retry_delay_ms",
                    "structured_output",
                    "rate_limit_info",
                    "error_status",
                    "attempt",
                    "max_retries",
                    "error",
                    "parent_tool_use_id",
                    "permission_denials",
                    "task_id",
                    "tasks",
                    "status",
                    "ambient",
                    "is_backgrounded",
                    "patch")
            .with("message", WantedFields.of("id", "usage", "model"));

    private final ClaudeUsage usage = new ClaudeUsage();
    private final BackgroundTasks tasks = new BackgroundTasks();
    private boolean waitsForTasks;
    private Optional<Instant> rejectedUntil = Optional.empty();
    private Optional<Duration> lastRetry = Optional.empty();

    ClaudeCode() {
        super(
                FIELDS,
                Set.of("result", "assistant", "system", "rate_limit_event"),
                new SpokenText.Speech(
                        Set.of("assistant", "result"),
                        WantedFields.of("is_error", "result", "parent_tool_use_id", "is_api_error_message", "message"),
                        ClaudeCode::said),
                ClaudeCodeWords::new);
    }

    @Override
    void event(ObjectNode event) {
        switch (event.path("type").asText("")) {
            case "result" -> result(event);
            case "assistant" -> assistant(event);
            case "system" -> system(event);
            case "rate_limit_event" -> rateLimit(event.path("rate_limit_info"));
            default -> {
                return;
            }
        }
        sessionId = JsonFields.text(event, "session_id").or(() -> sessionId);
    }

    @Override
    Usage usage() {
        return usage.soFar();
    }

    @Override
    List<ModelTokens> tokens() {
        return usage.tokens();
    }

    @Override
    Usage sessionTotals() {
        return usage.totals();
    }

    @Override
    Set<String> openTasks() {
        return tasks.open();
    }

    /** A result that came while a task was open is followed by another, even if the task has ended since. */
    @Override
    boolean isFinal() {
        return ending.isPresent() && !waitsForTasks && tasks.open().isEmpty();
    }

    private void assistant(ObjectNode event) {
        worked = true;
        usage.message(event);
        failure = JsonFields.text(event, "error").map(code -> StructuredError.code(code, ""));
        if (failure.isEmpty() && !JsonFields.flag(event, "is_api_error_message").orElse(false)) {
            lastRetry = Optional.empty();
            retries = retries.overcome();
        }
    }

    private void system(ObjectNode event) {
        tasks.system(event);
        usage.model(JsonFields.text(event, "model"));
        OwnRetryWords.claudeCode(event).ifPresent(retry -> retries = retries.plus(retry));
        if (event.path("subtype").asText("").equals("api_retry")) {
            lastRetry = JsonFields.count(event, "retry_delay_ms").stream()
                    .mapToObj(delay -> Duration.ofMillis(Math.min(delay, RetryTimes.FARTHEST.toMillis())))
                    .findFirst();
            failure = Optional.of(StructuredError.text("")
                    .withHttpStatus(JsonFields.status(event, "error_status"))
                    .withCode(JsonFields.text(event, "error"))
                    .withDelay(lastRetry));
        }
    }

    private void rateLimit(JsonNode info) {
        rejectedUntil = rejection(info);
    }

    private static Optional<Instant> rejection(JsonNode info) {
        boolean rejected = info.path("status").asText("").equals("rejected");
        return rejected
                ? JsonFields.count(info, "resetsAt").stream()
                        .filter(number -> number >= EPOCH_FROM)
                        .mapToObj(ClaudeCode::instant)
                        .findFirst()
                : Optional.empty();
    }

    /** Seconds, or milliseconds if the number would be thousands of years away. */
    private static Instant instant(long number) {
        return number > MILLISECONDS_FROM
                ? Instant.ofEpochMilli(Math.min(number, MILLISECONDS_FROM * 1000))
                : Instant.ofEpochSecond(number);
    }

    private void result(ObjectNode event) {
        usage.result(event);
        String subtype = event.path("subtype").asText("");
        Optional<String> reason = JsonFields.text(event, "terminal_reason");
        boolean failed = JsonFields.flag(event, "is_error").orElse(false) || !subtype.equals("success");
        FinalRecord record = failed ? failure(event, subtype, reason) : success(event, reason);
        ending = Optional.of(record.withStopReason(reason)
                .withDenied(
                        event.path("permission_denials"),
                        denial -> denial.path("tool_name").asText("unnamed tool")));
        waitsForTasks = !tasks.open().isEmpty();
    }

    private static FinalRecord success(ObjectNode event, Optional<String> reason) {
        if (reason.filter(HALTS::contains).isPresent()) {
            return FinalRecord.ended(StandardReason.HALTED).withDiagnostic(reason);
        }
        JsonNode output = event.path("structured_output");
        if (!output.isMissingNode() && !output.isNull()) {
            return FinalRecord.submitted(output);
        }
        boolean empty = event.path("num_turns").asInt(1) == 0 && words(event).isBlank();
        return empty
                ? FinalRecord.success()
                        .withNotice(
                                "empty-result",
                                "the agent reported success after 0 turns and without a text; check that it got its prompt")
                : FinalRecord.success();
    }

    private FinalRecord failure(ObjectNode event, String subtype, Optional<String> reason) {
        Optional<String> words = Optional.of(words(event)).filter(text -> !text.isBlank());
        if (reason.filter(HALTS::contains).isPresent()) {
            return FinalRecord.ended(StandardReason.HALTED).withDiagnostic(words.or(() -> reason));
        }
        if (subtype.equals("success") || reason.filter(OVERFLOWS::contains).isPresent()) {
            return FinalRecord.failed(error(event, reason)).withDiagnostic(words.or(() -> reason));
        }
        Optional<StandardReason> own = StandardReason.ofSubtype(subtype).filter(OWN_REASONS::contains);
        if (own.isEmpty()) {
            return FinalRecord.ended(StandardReason.EXECUTION_ERROR)
                    .withError(error(event, reason))
                    .withDiagnostic(Optional.of("unknown subtype: " + subtype
                            + words.map(text -> ": " + text).orElse("")));
        }
        FinalRecord ended = FinalRecord.ended(own.get()).withDiagnostic(words.or(() -> Optional.of(subtype)));
        return own.get() == StandardReason.EXECUTION_ERROR ? ended.withError(error(event, reason)) : ended;
    }

    private StructuredError error(ObjectNode event, Optional<String> reason) {
        OptionalInt status = JsonFields.status(event, "api_error_status");
        Optional<Instant> reset = rejection(event.path("api_error_params").path("rate_limit_info"))
                .or(() -> rejectedUntil);
        StructuredError error = StructuredError.text(words(event))
                .withHttpStatus(status)
                .withCode(reason.filter(OVERFLOWS::contains).or(() -> JsonFields.text(event, "api_error")))
                .withDelay(lastRetry);
        boolean limited = status.isPresent()
                ? status.getAsInt() == TOO_MANY
                : error.message().contains("limit");
        return limited && reset.isPresent()
                ? error.withCode(Optional.of("usage_limit_reached")).withResetsAt(reset)
                : error;
    }

    private static String words(ObjectNode event) {
        return JsonFields.text(event, "result")
                .orElseGet(() -> StreamSupport.stream(event.path("errors").spliterator(), false)
                        .map(error -> error.isTextual() ? error.textValue() : error.toString())
                        .collect(Collectors.joining("\n")));
    }

    private static void said(ObjectNode event, SpokenText text) {
        boolean result = event.path("type").asText().equals("result");
        if (result && !event.path("is_error").asBoolean()) {
            text.says(event.path("result").asText());
        } else if (!result
                && !event.hasNonNull("parent_tool_use_id")
                && !event.path("is_api_error_message").asBoolean()) {
            for (JsonNode block : event.path("message").path("content")) {
                if (block.path("type").asText().equals("text")) {
                    text.says(block.path("text").asText());
                }
            }
        }
    }
}
