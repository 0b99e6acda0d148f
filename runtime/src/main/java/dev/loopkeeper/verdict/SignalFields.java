package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.loopkeeper.json.WireName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The fields of an object in a signal, in camelCase or snake_case; null is the same as absent. */
record SignalFields(JsonNode object, String path) {
    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

    /** A field is invalid; the message names it and its value. */
    static final class InvalidFieldException extends IllegalArgumentException {
        private final Optional<String> refusedValue;

        InvalidFieldException(String message, Optional<String> refusedValue) {
            super(message);
            this.refusedValue = refusedValue;
        }

        /** The value, as {@link RefusedValue} shows it. */
        Optional<String> refusedValue() {
            return refusedValue;
        }
    }

    /** The field's value in either spelling. */
    Optional<JsonNode> value(String name) {
        String other = snakeCase(name);
        JsonNode camel = object.path(name);
        JsonNode snake = object.path(other);
        if (object.hasNonNull(name) && object.hasNonNull(other) && !camel.equals(snake)) {
            throw wrong(name, "is given in two spellings with different values", snake);
        }
        JsonNode used = object.hasNonNull(name) ? camel : snake;
        return Optional.of(used).filter(node -> !(node instanceof NullNode) && !node.isMissingNode());
    }

    private static String snakeCase(String name) {
        return CAPITAL.matcher(name).replaceAll("_$0").toLowerCase(Locale.ROOT);
    }

    Optional<String> text(String name) {
        requireText(name);
        return value(name).map(JsonNode::textValue);
    }

    void requireText(String name) {
        require(value(name), name, JsonNode::isTextual, "must be a string");
    }

    Optional<Boolean> flag(String name) {
        Optional<JsonNode> value = value(name);
        require(value, name, JsonNode::isBoolean, "must be true or false");
        return value.map(JsonNode::booleanValue);
    }

    /** An integer of 0 or more. */
    OptionalLong count(String name) {
        requireCount(name);
        return value(name).stream().mapToLong(JsonNode::longValue).findFirst();
    }

    void requireCount(String name) {
        Predicate<JsonNode> count = node -> node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= 0;
        require(value(name), name, count, "must be a whole number of 0 or more");
    }

    /** A finite number of 0 or more. */
    OptionalDouble amount(String name) {
        Optional<JsonNode> value = value(name);
        require(
                value,
                name,
                node -> node.isNumber() && Double.isFinite(node.doubleValue()) && node.doubleValue() >= 0,
                "must be a number of 0 or more");
        return value.stream().mapToDouble(JsonNode::doubleValue).findFirst();
    }

    List<String> texts(String name) {
        Optional<JsonNode> value = value(name);
        require(value, name, JsonNode::isArray, "must be a list");
        List<String> texts = new ArrayList<>();
        for (JsonNode element : value.orElse(NullNode.getInstance())) {
            require(Optional.of(element), name, JsonNode::isTextual, "must contain only strings");
            texts.add(element.textValue());
        }
        return List.copyOf(texts);
    }

    <E extends Enum<E> & WireName> Optional<E> choice(String name, Class<E> type) {
        Optional<E> found = text(name).flatMap(word -> WireName.find(type, word));
        String words = String.join(", ", WireName.all(type));
        require(value(name), name, given -> found.isPresent(), "must be one of " + words);
        return found;
    }

    Optional<SignalFields> nested(String name) {
        Optional<JsonNode> value = value(name);
        require(value, name, JsonNode::isObject, "must be an object");
        return value.map(node -> new SignalFields(node, path + name + "."));
    }

    InvalidFieldException missing(String name) {
        return new InvalidFieldException(path + name + " is missing", Optional.empty());
    }

    private InvalidFieldException wrong(String name, String what, JsonNode value) {
        String shown = RefusedValue.of(value);
        return new InvalidFieldException(path + name + " " + what + ", but is " + shown, Optional.of(shown));
    }

    private void require(Optional<JsonNode> value, String name, Predicate<JsonNode> rule, String otherwise) {
        if (value.isPresent() && !rule.test(value.get())) {
            throw wrong(name, otherwise, value.get());
        }
    }
}
