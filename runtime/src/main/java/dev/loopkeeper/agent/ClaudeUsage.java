package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.Usage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Sums the consumption of a Claude Code session. Each message counts once, with its latest numbers; the totals of the
 * result replace the sum.
 */
final class ClaudeUsage {
    /** Repetitions of a message are close together; after this many other messages it is final. */
    private static final int OPEN_MESSAGES = 4096;

    private record Tokens(
            OptionalLong fresh, OptionalLong written, OptionalLong cached, OptionalLong output, OptionalLong turns) {
        static final Tokens NONE = of(MissingNode.getInstance(), OptionalLong.empty());

        static Tokens of(JsonNode usage, OptionalLong turns) {
            return new Tokens(
                    JsonFields.count(usage, "input_tokens", "inputTokens"),
                    JsonFields.count(
                            usage, "cache_creation_input_tokens", "cacheCreationInputTokens", "cacheWriteTokens"),
                    JsonFields.count(usage, "cache_read_input_tokens", "cacheReadInputTokens", "cacheReadTokens"),
                    JsonFields.count(usage, "output_tokens", "outputTokens"),
                    turns);
        }

        /** The three counts of input are beside each other. */
        OptionalLong input() {
            return Usage.sum(fresh, written, cached);
        }

        ModelTokens of(Optional<String> model) {
            return new ModelTokens(model, fresh.orElse(0), cached.orElse(0), written.orElse(0), output.orElse(0));
        }

        Tokens plus(Tokens other) {
            return new Tokens(
                    Usage.sum(fresh, other.fresh),
                    Usage.sum(written, other.written),
                    Usage.sum(cached, other.cached),
                    Usage.sum(output, other.output),
                    Usage.sum(turns, other.turns));
        }
    }

    private final Map<String, Tokens> open = new LinkedHashMap<>();
    private Tokens closed = Tokens.NONE;
    private Optional<Usage> total = Optional.empty();
    private List<ModelTokens> perModel = List.of();
    private Optional<String> model = Optional.empty();
    private Usage totals = Usage.UNKNOWN;

    /** Adds an {@code assistant} event. Messages of subagents consume tokens but no turns. */
    void message(JsonNode event) {
        JsonNode message = event.path("message");
        Optional<String> id = JsonFields.text(message, "id");
        model = JsonFields.text(message, "model").or(() -> model);
        if (id.isEmpty() || !message.path("usage").isObject()) {
            return;
        }
        long turns = JsonFields.text(event, "parent_tool_use_id").isEmpty() ? 1 : 0;
        open.put(id.get(), Tokens.of(message.path("usage"), OptionalLong.of(turns)));
        if (open.size() > OPEN_MESSAGES) {
            String oldest = open.keySet().iterator().next();
            closed = closed.plus(open.remove(oldest));
        }
    }

    /** Adds a {@code result} event. Numbers missing from it keep their sum. */
    void result(JsonNode event) {
        Tokens reported = reported(event);
        perModel = tokens(event);
        Tokens seen = seen();
        OptionalLong turns = JsonFields.count(event, "num_turns");
        Tokens models = perModel(event);
        totals = new Usage(cost(event), models.input(), models.output, OptionalLong.empty());
        total = Optional.of(new Usage(
                cost(event),
                reported.input().isPresent() ? reported.input() : seen.input(),
                reported.output.isPresent() ? reported.output : seen.output,
                turns.isPresent() ? turns : seen.turns));
    }

    /** The cost, and the tokens of all models, which cover the same launches as the cost. */
    Usage totals() {
        return totals;
    }

    Usage soFar() {
        return total.orElseGet(() -> {
            Tokens seen = seen();
            return new Usage(OptionalDouble.empty(), seen.input(), seen.output, seen.turns);
        });
    }

    /** The model that the session begins with, until a message names another. */
    void model(Optional<String> first) {
        model = first.or(() -> model);
    }

    /** The tokens of the result, else of the messages so far. */
    List<ModelTokens> tokens() {
        Tokens seen = seen();
        return !perModel.isEmpty() ? perModel : seen.input().isEmpty() ? List.of() : List.of(seen.of(model));
    }

    private List<ModelTokens> tokens(JsonNode event) {
        Tokens usage = Tokens.of(event.path("usage"), OptionalLong.empty());
        return usage.equals(Tokens.NONE)
                ? event.path("modelUsage")
                        .propertyStream()
                        .map(each ->
                                Tokens.of(each.getValue(), OptionalLong.empty()).of(Optional.of(each.getKey())))
                        .toList()
                : List.of(usage.of(model));
    }

    private Tokens seen() {
        return open.values().stream().reduce(closed, Tokens::plus);
    }

    private static OptionalDouble cost(JsonNode event) {
        OptionalDouble total = JsonFields.amount(event, "total_cost_usd");
        if (total.isPresent()) {
            return total;
        }
        OptionalDouble perModel = OptionalDouble.empty();
        for (JsonNode model : event.path("modelUsage")) {
            OptionalDouble one = JsonFields.amount(model, "costUSD");
            if (one.isEmpty()) {
                return one;
            }
            perModel = OptionalDouble.of(perModel.orElse(0) + one.getAsDouble());
        }
        return perModel;
    }

    private static Tokens reported(JsonNode event) {
        Tokens usage = Tokens.of(event.path("usage"), OptionalLong.empty());
        return usage.equals(Tokens.NONE) ? perModel(event) : usage;
    }

    private static Tokens perModel(JsonNode event) {
        Tokens sum = Tokens.NONE;
        for (JsonNode model : event.path("modelUsage")) {
            sum = sum.plus(Tokens.of(model, OptionalLong.empty()));
        }
        return sum;
    }
}
