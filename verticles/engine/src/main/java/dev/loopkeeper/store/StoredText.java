package dev.loopkeeper.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Converts values to and from text columns. */
public final class StoredText {
    /** Always nine digits of a second, so that texts sort in the order of times. */
    private static final DateTimeFormatter SORTABLE =
            new DateTimeFormatterBuilder().appendInstant(9).toFormatter();

    private StoredText() {}

    /** Returns e.g. {@code 2026-11-20T15:20:11.120000000Z}. */
    public static String of(Instant time) {
        return SORTABLE.format(time);
    }

    /** Returns {@code null} as text for null. */
    public static String of(JsonNode json) {
        return json == null ? "null" : json.toString();
    }

    /** Parses JSON; fails with {@link IllegalStateException} for other text. */
    public static JsonNode json(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException unreadable) {
            throw new IllegalStateException("unreadable JSON in the store: " + unreadable.getMessage(), unreadable);
        }
    }
}
