package dev.loopkeeper.work;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of Loopkeeper, independent of the jar that contains its classes. */
public final class Release {
    private static final String DEVELOPMENT = "development";
    private static final String VERSION = read();

    private Release() {}

    /** E.g. {@code 0.1.0}; {@code development} where it is not known. */
    public static String version() {
        return VERSION;
    }

    /** Returns the version; a placeholder that Maven did not fill in, as in an IDE, means a development version. */
    static String in(String written) {
        return written.startsWith("$") ? DEVELOPMENT : written.strip();
    }

    private static String read() {
        try (InputStream written = Release.class.getResourceAsStream("release.txt")) {
            return written == null ? DEVELOPMENT : in(new String(written.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
