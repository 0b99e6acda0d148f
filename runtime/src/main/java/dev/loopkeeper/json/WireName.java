package dev.loopkeeper.json;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** An enum value with its own spelling in JSON, files and messages. */
public interface WireName {
    /** The constant's name, as every enum has it. */
    String name();

    /** The spelling: the name in lower case with hyphens, e.g. {@code no-progress}, unless the enum has another. */
    @JsonValue
    default String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A name in capitals, as in signals. */
    interface InCapitals extends WireName {
        @Override
        default String wire() {
            return name();
        }
    }

    /** A name in lower case with underscores. */
    interface WithUnderscores extends WireName {
        @Override
        default String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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
