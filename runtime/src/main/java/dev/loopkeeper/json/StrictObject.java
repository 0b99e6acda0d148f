package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Reads a JSON object from outside strictly. An unknown member or a wrong type refuses the document with the member's
 * path. A member that is null is treated as absent.
 */
public final class StrictObject {
    private static final ObjectReader STRICT = Json.MAPPER
            .copy()
            .registerModule(new SimpleModule("written").addDeserializer(JsonNode.class, new WrittenTree()))
            .readerFor(JsonNode.class)
            .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

    private static final String A_SCALAR = "must be a string, a number, true or false";

    private final String prefix;
    private final ObjectNode members;

    private StrictObject(String prefix, ObjectNode members, Set<String> known) {
        this.prefix = prefix;
        this.members = members;
        members.fieldNames().forEachRemaining(name -> requireKnown(name, known));
    }

    /**
     * Reads one object.
     *
     * @param what names the object in problem texts, e.g. {@code the body}
     * @throws JsonProblem for any invalid document, as every method here does
     */
    public static StrictObject read(byte[] json, String what, Set<String> known) {
        return of(tree(json, what), what, known);
    }

    /** Reads an object from a parsed document. */
    public static StrictObject of(JsonNode document, String what, Set<String> known) {
        if (document instanceof ObjectNode object) {
            return new StrictObject("", object, known);
        }
        throw JsonProblem.whole(what + " must be one JSON object");
    }

    /** Reads any JSON. Refuses an object that names a member twice. */
    public static JsonNode tree(byte[] json, String what) {
        try {
            return STRICT.readTree(json);
        } catch (JsonProcessingException malformed) {
            var location = malformed.getLocation();
            String where =
                    location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
            throw JsonProblem.whole(what + " is not valid JSON" + where + ": " + JsonSyntaxError.of(malformed));
        } catch (IOException unreadable) {
            throw JsonProblem.whole(what + " cannot be read as JSON");
        }
    }

    private void requireKnown(String name, Set<String> known) {
        if (known.contains(name)) {
            return;
        }
        Optional<String> nearest = NearestName.of(name, known);
        String all = known.stream().sorted().collect(Collectors.joining(", "));
        String hint = nearest.map(near -> "did you mean " + near + "?")
                .orElseGet(() -> known.isEmpty() ? "no member is allowed here" : "allowed are " + all);
        throw JsonProblem.unknown(prefix + name, "is not known; " + hint, nearest);
    }

    public Optional<JsonNode> any(String name) {
        return Optional.<JsonNode>ofNullable(members.get(name)).filter(value -> !value.isNull());
    }

    private Optional<JsonNode> any(String name, Predicate<JsonNode> right, String wording) {
        Optional<JsonNode> value = any(name);
        value.ifPresent(present -> require(right.test(present), name, wording));
        return value;
    }

    public Optional<String> text(String name) {
        return any(name, JsonNode::isTextual, "must be a string").map(JsonNode::textValue);
    }

    public boolean flag(String name, boolean otherwise) {
        return any(name, JsonNode::isBoolean, "must be true or false")
                .map(JsonNode::booleanValue)
                .orElse(otherwise);
    }

    /** A number from {@code least} to {@code most}. */
    public OptionalDouble number(String name, double least, double most) {
        Predicate<JsonNode> within =
                value -> value.isNumber() && value.doubleValue() >= least && value.doubleValue() <= most;
        String upTo = most == Double.MAX_VALUE ? " or more" : " to " + most;
        return any(name, within, "must be a number, " + least + upTo).stream()
                .mapToDouble(JsonNode::doubleValue)
                .findFirst();
    }

    /** A whole number from {@code least} to {@code most}. */
    public OptionalLong whole(String name, long least, long most) {
        Predicate<JsonNode> within = value -> value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() >= least
                && value.longValue() <= most;
        return any(name, within, "must be a whole number from " + least + " to " + most).stream()
                .mapToLong(JsonNode::longValue)
                .findFirst();
    }

    /** A list of texts; empty when absent. */
    public List<String> texts(String name) {
        Predicate<JsonNode> right = list -> list.isArray() && list.valueStream().allMatch(JsonNode::isTextual);
        return any(name, right, "must be a list of strings").stream()
                .flatMap(JsonNode::valueStream)
                .map(JsonNode::textValue)
                .toList();
    }

    private Optional<ObjectNode> object(String name) {
        return any(name, JsonNode::isObject, "must be an object").map(ObjectNode.class::cast);
    }

    /** An object of texts, numbers and booleans, as texts. */
    public Map<String, String> scalars(String name) {
        Map<String, String> scalars = new LinkedHashMap<>();
        object(name)
                .ifPresent(object -> object.properties().forEach(each -> {
                    require(
                            each.getValue().isValueNode() && !each.getValue().isNull(),
                            name + "." + each.getKey(),
                            A_SCALAR);
                    scalars.put(each.getKey(), each.getValue().asText());
                }));
        return scalars;
    }

    /** The members of an object inside this one; absent: as if it were empty. */
    public StrictObject inside(String name, Set<String> known) {
        ObjectNode inner = object(name).orElseGet(Json.MAPPER::createObjectNode);
        return new StrictObject(prefix + name + ".", inner, known);
    }

    /** Whether the member is present, even as null. */
    public boolean has(String name) {
        return members.has(name);
    }

    /** Refuses the member with this wording unless the condition holds. */
    public void require(boolean right, String name, String wording) {
        if (!right) {
            throw JsonProblem.at(prefix + name, wording);
        }
    }
}
