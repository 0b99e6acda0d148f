package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the machine's boot clock, which warden and gate read too. Any thread: the kernel answers without disk access.
 */
final class BootClock {
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final int HUNDREDTH = 10;

    private BootClock() {}

    static BootTime now() {
        String text = uptime();
        return new BootTime(Long.parseLong(text.substring(0, text.indexOf(' ')).replace(".", "")) * HUNDREDTH);
    }

    private static String uptime() {
        try {
            return Files.readString(UPTIME, StandardCharsets.US_ASCII);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
