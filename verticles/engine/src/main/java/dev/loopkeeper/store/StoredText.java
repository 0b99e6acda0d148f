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

    private static final int NANO_DIGITS = 9;
    /** Digits of a group. */
    private static final int THOUSAND = 3;

    private static final int TEN = 10;

    private static final int REMEMBERED = 64;
    /**
     * Cache: formatting a second costs more than the rest of a row, and most rows share few seconds. Races are
     * harmless.
     */
    private static final Second[] SECONDS = new Second[REMEMBERED];

    /** @param text e.g. {@code 2026-11-20T15:20:11.} */
    private record Second(long epochSecond, String text) {
        static Second of(long epochSecond) {
            int place = (int) Math.floorMod(epochSecond, (long) REMEMBERED);
            Second known = SECONDS[place];
            if (known == null || known.epochSecond != epochSecond) {
                String sortable = SORTABLE.format(Instant.ofEpochSecond(epochSecond));
                known = new Second(epochSecond, sortable.substring(0, sortable.length() - NANO_DIGITS - 1));
                SECONDS[place] = known;
            }
            return known;
        }
    }

    /** Cache: consecutive events share few seconds. Races are harmless. */
    private static Second lastRead = Second.of(0);

    private StoredText() {}

    /** Returns e.g. {@code 2026-11-20T15:20:11.120000000Z}. */
    public static String of(Instant time) {
        return Second.of(time.getEpochSecond()).text() + nineDigits(time.getNano()) + "Z";
    }

    /** Returns the same text as {@link Instant#toString}, e.g. {@code 2026-11-20T15:20:11.120Z}. */
    public static String shortest(Instant time) {
        String second = Second.of(time.getEpochSecond()).text();
        int nano = time.getNano();
        if (nano == 0) {
            return second.substring(0, second.length() - 1) + "Z";
        }
        String nanos = nineDigits(nano);
        int digits = NANO_DIGITS;
        while (nanos.startsWith("000", digits - THOUSAND)) {
            digits -= THOUSAND;
        }
        return second + nanos.substring(0, digits) + "Z";
    }

    /** Parses what {@link #of(Instant)} or {@link #shortest} wrote; otherwise fails as {@link Instant#parse} does. */
    public static Instant time(String text) {
        Second known = lastRead;
        int digits = text.length() - known.text().length() - 1;
        if (digits < 1 || digits > NANO_DIGITS || !text.startsWith(known.text()) || !text.endsWith("Z")) {
            return parsed(text);
        }
        int nano = 0;
        for (int place = 0; place < NANO_DIGITS; place++) {
            char digit = place < digits ? text.charAt(known.text().length() + place) : '0';
            if (digit < '0' || digit > '9') {
                return parsed(text);
            }
            nano = nano * TEN + digit - '0';
        }
        return Instant.ofEpochSecond(known.epochSecond(), nano);
    }

    private static Instant parsed(String text) {
        Instant time = Instant.parse(text);
        lastRead = Second.of(time.getEpochSecond());
        return time;
    }

    private static String nineDigits(int nano) {
        String digits = Integer.toString(nano);
        return "0".repeat(NANO_DIGITS - digits.length()) + digits;
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
