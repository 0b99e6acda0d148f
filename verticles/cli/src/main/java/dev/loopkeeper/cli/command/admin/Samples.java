package dev.loopkeeper.cli.command.admin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses samples in the text format of Prometheus; other lines are ignored. */
public final class Samples {
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_]\\w*)(?:\\{((?:[^\"}]|\"(?:[^\"\\\\]|\\\\.)*\")*)})? (\\S+)(?: -?\\d+)?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final List<Sample> samples = new ArrayList<>();

    private Samples() {}

    /** One sample, e.g. {@code loopkeeper_runs{status="paused"} 2.0}. */
    public record Sample(String name, Map<String, String> labels, double value) {
        /** Returns the label with this name; empty if there is none. */
        public String label(String of) {
            return labels.getOrDefault(of, "");
        }
    }

    public static Samples parse(String text) {
        Samples samples = new Samples();
        text.lines().map(LINE::matcher).filter(Matcher::matches).forEach(samples::add);
        return samples;
    }

    private void add(Matcher line) {
        Map<String, String> labels = new HashMap<>();
        if (line.group(2) != null) {
            Matcher label = LABEL.matcher(line.group(2));
            while (label.find()) {
                labels.put(label.group(1), unescaped(label.group(2)));
            }
        }
        number(line.group(3)).ifPresent(value -> samples.add(new Sample(line.group(1), labels, value)));
    }

    private static String unescaped(String text) {
        return text.replace("\\\\", "\0")
                .replace("\\\"", "\"")
                .replace("\\n", "\n")
                .replace("\0", "\\");
    }

    private static OptionalDouble number(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (NumberFormatException infinite) {
            return OptionalDouble.empty();
        }
    }

    /** Returns the samples with this name, in the order of the text. */
    public List<Sample> of(String name) {
        return samples.stream().filter(sample -> sample.name().equals(name)).toList();
    }

    /** Returns the sum of the samples with this name; empty if none has a number. */
    public OptionalDouble sum(String name) {
        List<Sample> all = of(name);
        return all.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(all.stream().mapToDouble(Sample::value).sum());
    }
}
