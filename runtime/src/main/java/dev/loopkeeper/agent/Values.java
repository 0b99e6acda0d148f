package dev.loopkeeper.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reads values that may be absent or have any type. */
final class Values {
    private Values() {}

    static Optional<String> text(JsonNode node, String name) {
        String text = node.path(name).isValueNode() ? node.path(name).asText("") : "";
        return text.isBlank() || node.path(name).isNull() ? Optional.empty() : Optional.of(text);
    }

    /** A time in the format of ISO 8601; absent where the value is none. */
    static Optional<Instant> time(JsonNode node, String name) {
        try {
            return text(node, name).map(Instant::parse);
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
                .map(Values::words)
                .collect(Collectors.joining("\n"));
    }
}
