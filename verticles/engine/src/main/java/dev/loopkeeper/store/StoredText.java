package dev.loopkeeper.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** How values stand in text columns. */
public final class StoredText {
    /** Always nine digits of a second, so that texts sort as times do. */
    private static final DateTimeFormatter SORTABLE =
            new DateTimeFormatterBuilder().appendInstant(9).toFormatter();

    private StoredText() {}

    /** E.g. {@code 2026-11-20T15:20:11.120000000Z}. */
    public static String of(Instant time) {
        return SORTABLE.format(time);
    }

    /** {@code null} for nothing. */
    public static String of(JsonNode json) {
        return json == null ? "null" : json.toString();
    }

    /** Fails with {@link IllegalStateException} for what is no JSON. */
    public static JsonNode json(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException unreadable) {
            throw new IllegalStateException("unreadable JSON in the store: " + unreadable.getMessage(), unreadable);
        }
    }
}
