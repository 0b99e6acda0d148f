package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.step.StructuredError;
import dev.loopkeeper.step.Usage;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Codex's exec --json: {@code turn.completed} or {@code turn.failed} of the last turn is the record; a top-level
 * {@code error} may be a mere notice of a new connection. Cached tokens are a part of the input, usage is the
 * thread's so far; there is no cost.
 */
final class Codex implements Dialect {
    private Optional<String> sessionId = Optional.empty();
    private Optional<FinalRecord> ending = Optional.empty();
    private Optional<StructuredError> trouble = Optional.empty();
    private OwnRetries retries = OwnRetries.NONE;
    private OptionalLong input = OptionalLong.empty();
    private OptionalLong output = OptionalLong.empty();
    private OptionalLong turns = OptionalLong.empty();

    @Override
    public WantedFields wanted() {
        return WantedFields.of("type", "thread_id", "usage", "error", "message");
    }

    @Override
    public Set<String> types() {
        return Set.of("thread.started", "turn.started", "turn.completed", "turn.failed", "error");
    }

    @Override
    public void event(ObjectNode event) {
        switch (event.path("type").asText("")) {
            case "thread.started" ->
                sessionId = JsonFields.text(event, "thread_id").or(() -> sessionId);
            case "turn.started" -> started();
            case "turn.completed" -> completed(event.path("usage"));
            case "turn.failed" -> ending = Optional.of(FinalRecord.failed(error(event.path("error"))));
            case "error" -> trouble(event);
            default -> {
                // Items and whatever newer versions add.
            }
        }
    }

    @Override
    public Usage usage() {
        return new Usage(OptionalDouble.empty(), input, output, turns);
    }

    /** Its thread's, so a continued one begins with what earlier launches used. */
    @Override
    public Usage sessionTotals() {
        return new Usage(OptionalDouble.empty(), input, output, OptionalLong.empty());
    }

    @Override
    public Optional<String> sessionId() {
        return sessionId;
    }

    @Override
    public Optional<FinalRecord> finalRecord() {
        return ending;
    }

    @Override
    public Optional<StructuredError> trouble() {
        return trouble;
    }

    @Override
    public OwnRetries retries() {
        return retries;
    }

    private void trouble(ObjectNode event) {
        trouble = Optional.of(error(event));
        OwnRetryWords.codex(event.path("message").asText("")).ifPresent(retry -> retries = retries.plus(retry));
    }

    private void started() {
        turns = JsonFields.sum(turns, OptionalLong.of(1));
        ending = Optional.empty();
    }

    private void completed(JsonNode usage) {
        input = more(input, JsonFields.count(usage, "input_tokens"));
        output = more(output, JsonFields.count(usage, "output_tokens"));
        ending = Optional.of(FinalRecord.success());
        trouble = Optional.empty();
        retries = retries.overcome();
    }

    /** Each turn tells the sum over all turns of its thread so far. */
    private static OptionalLong more(OptionalLong before, OptionalLong told) {
        return told.isPresent() && told.getAsLong() >= before.orElse(0) ? told : before;
    }

    private static StructuredError error(JsonNode error) {
        return StructuredError.text(JsonFields.text(error, "message").orElse(""))
                .withCode(JsonFields.text(error, "code"))
                .withStatus(JsonFields.status(error, "status"));
    }
}
