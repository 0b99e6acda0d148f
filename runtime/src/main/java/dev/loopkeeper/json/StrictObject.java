package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
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

    private static final String A_SCALAR = "must be a text, a number, true or false";

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
            var place = malformed.getLocation();
            String where = place == null ? "" : " at line " + place.getLineNr() + ", column " + place.getColumnNr();
            throw JsonProblem.whole(what + " is not valid JSON" + where + ": " + JsonFlaw.of(malformed));
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
                .orElseGet(() -> known.isEmpty() ? "this object takes no members" : "known are " + all);
        throw JsonProblem.unknown(prefix + name, "is not known; " + hint, nearest);
    }

    public Optional<JsonNode> any(String name) {
        return Optional.<JsonNode>ofNullable(members.get(name)).filter(value -> !value.isNull());
    }

    public Optional<String> text(String name) {
        Optional<JsonNode> value = any(name);
        value.ifPresent(present -> require(present.isTextual(), name, "must be a text"));
        return value.map(JsonNode::textValue);
    }

    public boolean flag(String name, boolean otherwise) {
        Optional<JsonNode> value = any(name);
        value.ifPresent(present -> require(present.isBoolean(), name, "must be true or false"));
        return value.map(JsonNode::booleanValue).orElse(otherwise);
    }

    /** A number from {@code least} to {@code most}. */
    public OptionalDouble number(String name, double least, double most) {
        Optional<JsonNode> value = any(name);
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        double number = value.get().isNumber() ? value.get().doubleValue() : Double.NaN;
        String upTo = most == Double.MAX_VALUE ? " or more" : " to " + most;
        require(number >= least && number <= most, name, "must be a number, " + least + upTo);
        return OptionalDouble.of(number);
    }

    /** A whole number from {@code least} to {@code most}. */
    public OptionalLong whole(String name, long least, long most) {
        Optional<JsonNode> value = any(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        JsonNode present = value.get();
        boolean fits = present.isIntegralNumber() && present.canConvertToLong();
        boolean within = fits && present.longValue() >= least && present.longValue() <= most;
        require(within, name, "must be a whole number from " + least + " to " + most);
        return OptionalLong.of(present.longValue());
    }

    /** A list of texts; empty when absent. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        any(name).ifPresent(list -> {
            require(list.isArray(), name, "must be a list of texts");
            list.forEach(each -> {
                require(each.isTextual(), name, "must be a list of texts");
                texts.add(each.textValue());
            });
        });
        return List.copyOf(texts);
    }

    private Optional<ObjectNode> object(String name) {
        Optional<JsonNode> value = any(name);
        value.ifPresent(present -> require(present.isObject(), name, "must be an object"));
        return value.map(ObjectNode.class::cast);
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
