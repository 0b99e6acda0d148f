package dev.loopkeeper.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.Instant;

/**
 * Writes times with milliseconds, also at a full second, e.g. {@code 2026-11-20T15:20:11.000Z}, so that one pattern
 * reads all.
 */
final class TimeWriter extends StdSerializer<Instant> {
    TimeWriter() {
        super(Instant.class);
    }

    @Override
    public void serialize(Instant time, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeString(text(time));
    }

    static String text(Instant time) {
        String text = time.toString();
        return text.contains(".") ? text : text.replace("Z", ".000Z");
    }
}
