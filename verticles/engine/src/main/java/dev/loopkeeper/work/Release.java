package dev.loopkeeper.work;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which Loopkeeper this is, whatever jar its classes were put into. */
public final class Release {
    private static final String VERSION = read();

    private Release() {}

    /** E.g. {@code 0.1.0}. */
    public static String version() {
        return VERSION;
    }

    private static String read() {
        try (InputStream written = Release.class.getResourceAsStream("release.txt")) {
            return new String(written.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
