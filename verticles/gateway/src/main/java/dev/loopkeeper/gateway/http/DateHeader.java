package dev.loopkeeper.gateway.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Sets the {@code Date} header, e.g. {@code Sun, 01 Nov 2026 09:05:00 GMT}, by which clients with a wrong clock compute
 * ages. Formats it once a second.
 */
public final class DateHeader {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private volatile Second now = new Second(0, "");

    private record Second(long number, String text) {}

    /** Sets the header. Install as the first handler, so that refusals have it too. */
    public void put(RoutingContext context) {
        context.response().putHeader(HttpHeaders.DATE, text(System.currentTimeMillis() / 1000));
        context.next();
    }

    String text(long second) {
        Second known = now;
        if (known.number() != second) {
            known = new Second(second, FORM.format(Instant.ofEpochSecond(second)));
            now = known;
        }
        return known.text();
    }
}
