package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.step.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Formats tokens, turns and cost, e.g. {@code 9 turns, 31 in, 2904 out, $0.29}; leaves out unknown values. */
final class UsageWords {
    private UsageWords() {}

    /** Formats an object with {@code input_tokens} and {@code output_tokens}. */
    static String of(JsonNode tokens) {
        OptionalLong input = JsonFields.count(tokens, "input_tokens");
        return of(OptionalLong.empty(), input, JsonFields.count(tokens, "output_tokens"), OptionalDouble.empty());
    }

    static String of(OptionalLong turns, OptionalLong input, OptionalLong output, OptionalDouble costUsd) {
        List<String> parts = new ArrayList<>();
        turns.ifPresent(count -> parts.add(count + (count == 1 ? " turn" : " turns")));
        input.ifPresent(count -> parts.add(count + " in"));
        output.ifPresent(count -> parts.add(count + " out"));
        costUsd.ifPresent(cost -> parts.add(Amounts.dollars(cost)));
        return String.join(", ", parts);
    }
}
