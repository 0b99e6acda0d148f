package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.verdict.SignalText.MalformedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Checks a signal that a step is about to write, with the reader that reads it later. */
public sealed interface SignalDraft {
    /**
     * The signal is valid.
     *
     * @param content the complete signal file
     */
    record Accepted(String content) implements SignalDraft {}

    /**
     * The signal is invalid.
     *
     * @param message names the field, its value and the allowed values
     */
    record Refused(String message) implements SignalDraft {}

    /**
     * Creates a signal from options. A question is for a person; without another rating, it means that a part of the
     * work is done.
     *
     * @param options one value each, except for repeatable options
     */
    static SignalDraft of(Map<SignalOption, List<String>> options, SignalExpectation step) {
        ObjectNode signal = JsonNodeFactory.instance.objectNode();
        options.forEach((option, values) -> {
            if (option.repeats()) {
                ArrayNode texts = signal.putArray(option.field());
                values.forEach(texts::add);
            } else {
                signal.put(option.field(), values.get(0));
            }
        });
        if (options.containsKey(SignalOption.QUESTION)) {
            signal.put("userInputNeeded", true);
            if (options.keySet().stream().allMatch(option -> option.allowed().isEmpty())) {
                signal.put(SignalOption.STATUS.field(), SignalStatus.PARTIAL.wire());
            }
        }
        return checked(signal, step, said -> Optional.empty());
    }

    /**
     * Creates a signal from a JSON object.
     *
     * @param json UTF-8
     */
    static SignalDraft of(byte[] json, SignalStep step) {
        if (SignalText.isBlank(json)) {
            return new Refused("no JSON was given");
        }
        try {
            JsonNode signal = SignalText.parse(json);
            return checked((ObjectNode) signal, step.expected(), step::objection);
        } catch (MalformedException refused) {
            return new Refused(refused.getMessage());
        }
    }

    private static SignalDraft checked(
            ObjectNode signal, SignalExpectation step, Function<Signal, Optional<String>> objection) {
        String content = signal.put("nonce", step.nonce()) + "\n";
        SignalReading reading = SignalReader.read(Optional.of(content.getBytes(StandardCharsets.UTF_8)), step);
        if (reading instanceof SignalReading.Invalid invalid) {
            return new Refused(invalid.message());
        }
        Optional<String> refused =
                reading instanceof SignalReading.Valid valid ? objection.apply(valid.signal()) : Optional.empty();
        return refused.<SignalDraft>map(Refused::new).orElseGet(() -> new Accepted(content));
    }
}
