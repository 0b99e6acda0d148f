package dev.loopkeeper.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Measures the data folder and its disk at each scrape. Blocks. */
record DiskMetrics(Path folder) {
    /** File name of the event store and prefix of its write-ahead log; absent if events are stored elsewhere. */
    private static final String STORE = "events.db";

    void register(MeterRegistry registry) {
        Meters.gauge(registry, "disk.free.bytes", "Free on the data folder's disk, for this user", this::free);
        Meters.gauge(registry, "disk.size.bytes", "Size of the data folder's disk", this::size);
        Meters.gauge(registry, "store.bytes", "Size of the event store in the data folder", this::store);
    }

    private double free() {
        return read(() -> Files.getFileStore(folder).getUsableSpace());
    }

    private double size() {
        return read(() -> Files.getFileStore(folder).getTotalSpace());
    }

    private double store() {
        return read(() -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.filter(file -> file.getFileName().toString().startsWith(STORE))
                        .mapToLong(DiskMetrics::bytes)
                        .sum();
            }
        });
    }

    /** A write-ahead log that has been merged into the store since has no size. */
    private static long bytes(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    private interface Reading {
        long bytes() throws IOException;
    }

    /** Returns NaN if the value is unknown. */
    private static double read(Reading reading) {
        try {
            return reading.bytes();
        } catch (IOException | UncheckedIOException unknown) {
            return Double.NaN;
        }
    }
}
