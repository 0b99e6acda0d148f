package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/** The one JSON dialect of Loopkeeper: ISO instants, absent optionals as null, unknown fields ignored. */
public final class Json {
    /** Deeper nesting is refused as malformed. */
    public static final int MAX_DEPTH = 200;

    /** Thread-safe, never reconfigured. */
    public static final JsonMapper MAPPER = mapper();

    private Json() {}

    /** What is wrong with a text that is no JSON or YAML, in words for people: no names of the parser's own. */
    public static String fault(JacksonException broken) {
        String said = broken.getOriginalMessage().lines().findFirst().orElse("it cannot be read");
        if (broken instanceof MismatchedInputException && said.startsWith("Trailing token")) {
            return "more follows after the end of the first value";
        }
        if (broken instanceof StreamConstraintsException && said.contains("nesting depth")) {
            return "it is nested deeper than " + MAX_DEPTH + " levels";
        }
        return said;
    }

    private static JsonMapper mapper() {
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addModule(new SimpleModule("trees").addDeserializer(JsonNode.class, new TreeReader()))
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build());
        return mapper;
    }
}
