package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.Usage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Sums what a Claude Code session consumed. While it runs, each message counts once, with the last figures given for
 * its id; the result's totals replace the sum.
 */
final class ClaudeUsage {
    /** A message is repeated close to itself; so many others later it counts as it stands. */
    private static final int OPEN_MESSAGES = 4096;

    private record Tokens(OptionalLong input, OptionalLong output, OptionalLong turns) {
        static final Tokens NONE = new Tokens(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

        static Tokens of(JsonNode usage, OptionalLong turns) {
            OptionalLong input = Fields.sum(
                    Fields.count(usage, "input_tokens", "inputTokens"),
                    Fields.count(usage, "cache_creation_input_tokens", "cacheCreationInputTokens", "cacheWriteTokens"),
                    Fields.count(usage, "cache_read_input_tokens", "cacheReadInputTokens", "cacheReadTokens"));
            return new Tokens(input, Fields.count(usage, "output_tokens", "outputTokens"), turns);
        }

        Tokens plus(Tokens other) {
            return new Tokens(
                    Fields.sum(input, other.input), Fields.sum(output, other.output), Fields.sum(turns, other.turns));
        }
    }

    private final Map<String, Tokens> open = new LinkedHashMap<>();
    private Tokens closed = Tokens.NONE;
    private Optional<Usage> total = Optional.empty();

    /** An {@code assistant} event. Messages of subagents consume tokens but are no turns of the session. */
    void message(JsonNode event) {
        JsonNode message = event.path("message");
        Optional<String> id = Fields.text(message, "id");
        if (id.isEmpty() || !message.path("usage").isObject()) {
            return;
        }
        long turns = Fields.text(event, "parent_tool_use_id").isEmpty() ? 1 : 0;
        open.put(id.get(), Tokens.of(message.path("usage"), OptionalLong.of(turns)));
        if (open.size() > OPEN_MESSAGES) {
            String oldest = open.keySet().iterator().next();
            closed = closed.plus(open.remove(oldest));
        }
    }

    /** A {@code result} event. What it leaves out stays as it was summed. */
    void result(JsonNode event) {
        Tokens told = told(event);
        Tokens seen = seen();
        OptionalLong turns = Fields.count(event, "num_turns");
        total = Optional.of(new Usage(
                cost(event),
                told.input.isPresent() ? told.input : seen.input,
                told.output.isPresent() ? told.output : seen.output,
                turns.isPresent() ? turns : seen.turns));
    }

    Usage soFar() {
        return total.orElseGet(() -> {
            Tokens seen = seen();
            return new Usage(OptionalDouble.empty(), seen.input, seen.output, seen.turns);
        });
    }

    private Tokens seen() {
        return open.values().stream().reduce(closed, Tokens::plus);
    }

    private static OptionalDouble cost(JsonNode event) {
        OptionalDouble total = Fields.amount(event, "total_cost_usd");
        if (total.isPresent()) {
            return total;
        }
        OptionalDouble perModel = OptionalDouble.empty();
        for (JsonNode model : event.path("modelUsage")) {
            OptionalDouble one = Fields.amount(model, "costUSD");
            if (one.isEmpty()) {
                return one;
            }
            perModel = OptionalDouble.of(perModel.orElse(0) + one.getAsDouble());
        }
        return perModel;
    }

    private static Tokens told(JsonNode event) {
        Tokens usage = Tokens.of(event.path("usage"), OptionalLong.empty());
        if (!usage.equals(Tokens.NONE)) {
            return usage;
        }
        Tokens perModel = Tokens.NONE;
        for (JsonNode model : event.path("modelUsage")) {
            perModel = perModel.plus(Tokens.of(model, OptionalLong.empty()));
        }
        return perModel;
    }
}
