package dev.loopkeeper.json;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An enum value with its own spelling in JSON, files and messages. */
public interface WireName {
    /** The spelling, e.g. {@code no-progress}. */
    @JsonValue
    String wire();

    /** The value with exactly this spelling. */
    static <E extends Enum<E> & WireName> Optional<E> find(Class<E> type, String wire) {
        return Stream.of(type.getEnumConstants())
                .filter(value -> value.wire().equals(wire))
                .findFirst();
    }

    /** Every spelling, in the order of the definition. */
    static <E extends Enum<E> & WireName> List<String> all(Class<E> type) {
        return Stream.of(type.getEnumConstants()).map(WireName::wire).toList();
    }
}
