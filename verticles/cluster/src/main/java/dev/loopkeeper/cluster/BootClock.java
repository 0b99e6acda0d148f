package dev.loopkeeper.cluster;

import dev.loopkeeper.ownership.BootTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's boot clock, the same that warden and gate read. The kernel answers without a disk. Any thread. */
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
