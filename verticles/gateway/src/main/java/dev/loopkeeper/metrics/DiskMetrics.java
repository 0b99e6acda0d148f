package dev.loopkeeper.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What the data folder takes and what is left of its disk, looked at whenever somebody asks; blocks. */
final class DiskMetrics {
    /** The event store and its write-ahead log; absent where events are kept elsewhere. */
    private static final String STORE = "events.db";

    private final Path folder;

    DiskMetrics(Path folder) {
        this.folder = folder;
    }

    void register(MeterRegistry registry) {
        gauge(
                registry,
                "loopkeeper.disk.free.bytes",
                "Free on the data folder's disk, for this user",
                DiskMetrics::free);
        gauge(registry, "loopkeeper.disk.size.bytes", "Size of the data folder's disk", DiskMetrics::size);
        gauge(registry, "loopkeeper.store.bytes", "Size of the event store in the data folder", DiskMetrics::store);
    }

    private void gauge(MeterRegistry registry, String name, String what, ToDoubleFunction<DiskMetrics> look) {
        Gauge.builder(name, this, look)
                .description(what)
                // Nobody else knows this.
                .strongReference(true)
                .register(registry);
    }

    private double free() {
        return looked(() -> Files.getFileStore(folder).getUsableSpace());
    }

    private double size() {
        return looked(() -> Files.getFileStore(folder).getTotalSpace());
    }

    private double store() {
        return looked(() -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(file -> file.getFileName().toString().startsWith(STORE))
                        .mapToLong(DiskMetrics::bytes)
                        .sum();
            }
        });
    }

    /** A log that is folded into the store meanwhile takes no room. */
    private static long bytes(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    private interface Look {
        long bytes() throws IOException;
    }

    /** Unknown is not zero. */
    private static double looked(Look look) {
        try {
            return look.bytes();
        } catch (IOException | UncheckedIOException unknown) {
            return Double.NaN;
        }
    }
}
