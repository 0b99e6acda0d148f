package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads fields that may be absent or have any type. */
final class JsonFields {
    private JsonFields() {}

    /** A non-blank text. */
    static Optional<String> text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isTextual() && !value.textValue().isBlank() ? Optional.of(value.textValue()) : Optional.empty();
    }

    static Optional<Boolean> flag(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
    }

    /** The first of these fields that is a number of 0 or more. */
    static OptionalLong count(JsonNode node, String... names) {
        return Stream.of(names)
                .map(node::path)
                .filter(value -> value.isNumber() && value.canConvertToLong() && value.longValue() >= 0)
                .mapToLong(JsonNode::longValue)
                .findFirst();
    }

    static OptionalDouble amount(JsonNode node, String name) {
        JsonNode value = node.path(name);
        boolean amount = value.isNumber() && Double.isFinite(value.doubleValue()) && value.doubleValue() >= 0;
        return amount ? OptionalDouble.of(value.doubleValue()) : OptionalDouble.empty();
    }

    /** An HTTP error status, as a number or a text. */
    static OptionalInt status(JsonNode node, String name) {
        String digits = node.path(name).asText("");
        return digits.matches("[45]\\d\\d") ? OptionalInt.of(Integer.parseInt(digits)) : OptionalInt.empty();
    }
}
