package dev.loopkeeper.json;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Holds the JSON mapper of Loopkeeper: ISO instants with milliseconds, absent optionals as null, unknown fields
 * ignored. A list or map that is absent is read as empty.
 */
public final class Json {
    /** The deepest nesting that is accepted; deeper JSON is refused as malformed. */
    public static final int MAX_DEPTH = 200;

    private static final JsonSetter.Value EMPTY_IF_ABSENT = JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);

    /** Thread-safe, never reconfigured. */
    public static final JsonMapper MAPPER = mapper();

    /** Characters that a number takes, or the quotes and separators around a text. */
    private static final int VALUE = 8;

    private Json() {}

    /** Formats a time as in JSON, e.g. {@code 2026-11-20T15:20:11.000Z}. */
    public static String time(Instant time) {
        return TimeWriter.text(time);
    }

    /**
     * Whether the value has at least {@code least} characters as text. Reads no more of the value than the answer
     * requires.
     */
    public static boolean isLarge(JsonNode value, int least) {
        return least <= size(value, least);
    }

    private static int size(JsonNode value, int enough) {
        int size = VALUE + (value.isTextual() ? value.textValue().length() : 0);
        Iterator<JsonNode> parts = value.elements();
        while (size < enough && parts.hasNext()) {
            size += size(parts.next(), enough - size);
        }
        return size;
    }

    private static JsonMapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addModule(new SimpleModule("own")
                        .addDeserializer(JsonNode.class, new TreeReader())
                        .addSerializer(Instant.class, new TimeWriter()))
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .withConfigOverride(List.class, lists -> lists.setSetterInfo(EMPTY_IF_ABSENT))
                .withConfigOverride(Map.class, maps -> maps.setSetterInfo(EMPTY_IF_ABSENT))
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build());
        return mapper;
    }
}
