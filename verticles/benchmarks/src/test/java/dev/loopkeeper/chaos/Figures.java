package dev.loopkeeper.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What was measured, as a table in Markdown that is printed and kept in {@code target}. */
final class Figures {
    private final StringBuilder table = new StringBuilder();
    private final Path file;

    /** @param columns of the table, of which the last one, the machine's load of the last minute, is filled in here */
    Figures(String name, List<String> columns) {
        this.file = Path.of("target", name + ".md").toAbsolutePath();
        line(columns);
        line(columns.stream().map(column -> "---").toList());
    }

    private void line(List<String> cells) {
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /** One line, reported at once as well: what follows may take long. */
    void add(String... cells) {
        String all = String.join(" | ", cells) + " | " + load();
        line(List.of(all));
        System.out.println("FIGURE " + all);
    }

    /** The whole of it. */
    void print() {
        System.out.println("\n" + table);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, table);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /** How many processes want a processor, of the last minute. */
    static String load() {
        try {
            return Files.readString(Path.of("/proc/loadavg"), StandardCharsets.US_ASCII)
                    .split(" ", 2)[0];
        } catch (IOException unknown) {
            return "unknown";
        }
    }

    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    static double worst(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** With as many digits behind the point as are of use. */
    static String text(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%,.0f", value);
    }
}
