package dev.loopkeeper.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

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

    /** A non-blank text, number or flag, as text. */
    static Optional<String> scalar(JsonNode node, String name) {
        String text = node.path(name).isValueNode() ? node.path(name).asText("") : "";
        return text.isBlank() || node.path(name).isNull() ? Optional.empty() : Optional.of(text);
    }

    /** A time in the format of ISO 8601; absent where the value is none. */
    static Optional<Instant> time(JsonNode node, String name) {
        try {
            return scalar(node, name).map(Instant::parse);
        } catch (DateTimeException noTime) {
            return Optional.empty();
        }
    }

    /** The text of a value: a text, or a list of texts and of blocks with a {@code text}. */
    static String words(JsonNode content) {
        if (!content.isArray()) {
            return content.isValueNode()
                    ? content.asText("")
                    : content.path("text").asText("");
        }
        return StreamSupport.stream(content.spliterator(), false)
                .map(JsonFields::words)
                .collect(Collectors.joining("\n"));
    }

    /** An object; absent where the text is none. */
    static Optional<JsonNode> object(String text) {
        try {
            return Optional.ofNullable(Json.MAPPER.readTree(text)).filter(JsonNode::isObject);
        } catch (JsonProcessingException plainText) {
            return Optional.empty();
        }
    }
}
