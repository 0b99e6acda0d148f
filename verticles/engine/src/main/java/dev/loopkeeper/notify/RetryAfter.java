package dev.loopkeeper.notify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads how long a service asks a client to wait. */
final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final Duration LONGEST = Duration.ofHours(24);

    private RetryAfter() {}

    /**
     * Returns the wait, at most a day.
     *
     * @param header value of {@code Retry-After}: seconds or a date; null if absent
     * @param body JSON with {@code retry_after} in seconds, as Discord sends it, or any other text
     */
    static Optional<Duration> of(String header, String body, Instant now) {
        Optional<Duration> wait = header == null ? Optional.empty() : ofHeader(header.strip(), now);
        return wait.or(() -> ofBody(body))
                .filter(asked -> !asked.isNegative())
                .map(asked -> asked.compareTo(LONGEST) > 0 ? LONGEST : asked);
    }

    private static Optional<Duration> ofHeader(String text, Instant now) {
        if (SECONDS.matcher(text).matches()) {
            return Optional.of(seconds(Double.parseDouble(text)));
        }
        try {
            Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            return Optional.of(Duration.between(now, until));
        } catch (DateTimeParseException other) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> ofBody(String body) {
        try {
            JsonNode wait = Json.MAPPER.readTree(body).path("retry_after");
            return wait.isNumber() ? Optional.of(seconds(wait.doubleValue())) : Optional.empty();
        } catch (JsonProcessingException other) {
            return Optional.empty();
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) Math.ceil(seconds * 1000));
    }
}
