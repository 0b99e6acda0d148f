package dev.loopkeeper.cli.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.manifest.read.DocumentReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourceMap;
import dev.loopkeeper.manifest.read.SourcePosition;
import dev.loopkeeper.submit.TextFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A configuration file with the options of {@code serve}, one YAML key each, e.g. {@code maxRuns} for
 * {@code --max-runs}. It is parsed strictly, like a manifest. Relative paths are relative to the file's folder. A key
 * without a value is treated as absent.
 */
public final class SettingsFile {
    /** Options that only a command line can set: those of the file itself, of the client and of the output. */
    private static final Set<String> TYPED_ONLY = Set.of("--config", "--check", "--json", "--server");

    private final Path file;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final List<ManifestProblem> problems = new ArrayList<>();

    private SettingsFile(Path file) {
        this.file = file;
    }

    /** Returns the problem with its line; a problem without a line at least names the file. */
    private String text(ManifestProblem problem) {
        boolean named = problem.message().contains(file.toString());
        return problem.position().mark().isEmpty() && !named
                ? file + ": " + problem.text()
                : named ? problem.text() + "; check --config" : problem.text(file.toString());
    }

    private record Entry(String text, String location) {}

    /**
     * Reads the file. All its problems end the command at once, each with file, line and column.
     *
     * @param known the options that may appear in it
     */
    public static SettingsFile read(Path file, List<OptionSpec> known) {
        SettingsFile settings = new SettingsFile(file.toAbsolutePath().normalize());
        DocumentReading reading = TextFile.readDocument(settings.file);
        if (reading instanceof DocumentReading.Parsed parsed) {
            settings.take(parsed, known);
        } else {
            settings.problems.add(((DocumentReading.Unreadable) reading).problem());
        }
        if (!settings.problems.isEmpty()) {
            throw CommandFailure.refused(
                    settings.problems.stream().map(settings::text).collect(Collectors.joining("\n")));
        }
        return settings;
    }

    /** Returns the options of a command that may appear in its configuration file. */
    public static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream()
                .filter(OptionDefaults::mirrors)
                .filter(option -> !TYPED_ONLY.contains(option.longestName()))
                .toList();
    }

    /** Returns the key of an option, e.g. {@code maxRuns} of {@code --max-runs}. */
    public static String key(OptionSpec option) {
        StringBuilder key = new StringBuilder();
        for (String word : option.longestName().replaceFirst("^-+", "").split("-", -1)) {
            key.append(key.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return key.toString();
    }

    private void take(DocumentReading.Parsed parsed, List<OptionSpec> known) {
        if (parsed.document().isNull()) {
            return;
        }
        if (!parsed.document().isObject()) {
            wrong("", parsed.sources().value(), "expected keys with values, such as port: 7420", Optional.empty());
            return;
        }
        Map<String, OptionSpec> options = known.stream().collect(Collectors.toMap(SettingsFile::key, each -> each));
        for (Map.Entry<String, JsonNode> member : parsed.document().properties()) {
            SourceMap source = parsed.sources().find(member.getKey());
            OptionSpec option = options.get(member.getKey());
            if (option == null) {
                Optional<String> near = NearestName.of(member.getKey(), options.keySet());
                wrong(member.getKey(), source.key(), "unknown key", near);
            } else if (!member.getValue().isNull()) {
                take(member.getKey(), option, member.getValue(), source.value());
            }
        }
    }

    private void take(String key, OptionSpec option, JsonNode value, SourcePosition position) {
        Class<?> type = option.typeInfo().isMultiValue()
                ? List.class
                : option.typeInfo().getType();
        Optional<String> expected = Optional.empty();
        String text = value.asText();
        if (type == List.class) {
            List<String> texts = texts(value);
            String separator = option.splitRegex();
            if (texts.isEmpty() || texts.stream().anyMatch(each -> each.contains(separator))) {
                expected = Optional.of("expected a text or a list of texts, each without '" + separator + "' in it");
            }
            text = texts.stream().map(each -> path(option, each)).collect(Collectors.joining(separator));
        } else if (type == Integer.class || type == int.class) {
            expected = value.isIntegralNumber() && value.canConvertToInt()
                    ? expected
                    : Optional.of("expected a whole number");
        } else if (type == Boolean.class || type == boolean.class) {
            expected = value.isBoolean() ? expected : Optional.of("expected true or false");
        } else if (value.isValueNode() && isUsable(text)) {
            text = path(option, text);
        } else {
            expected = Optional.of("expected a text");
        }
        if (expected.isPresent()) {
            wrong(key, position, expected.get() + ", found " + Words.oneLine(value.toString()), Optional.empty());
        } else {
            String line = position.mark().map(mark -> ":" + mark.line()).orElse("");
            entries.put(option.longestName(), new Entry(text, file + line));
        }
    }

    private static List<String> texts(JsonNode value) {
        List<String> texts = new ArrayList<>();
        if (value.isArray()) {
            value.forEach(each -> texts.add(each.asText()));
        } else if (value.isValueNode()) {
            texts.add(value.asText());
        }
        return texts.stream().allMatch(SettingsFile::isUsable) ? texts : List.of();
    }

    /** Returns whether the text could be typed: no path contains a null character. */
    private static boolean isUsable(String text) {
        return !text.isBlank() && text.indexOf('\0') < 0;
    }

    private String path(ArgSpec option, String text) {
        boolean isPath =
                option.paramLabel().equals("FILE") || option.paramLabel().equals("DIR");
        return isPath ? file.resolveSibling(text).normalize().toString() : text;
    }

    private void wrong(String key, SourcePosition position, String message, Optional<String> near) {
        problems.add(new ManifestProblem(key, position, message, near));
    }

    Optional<String> text(OptionSpec option) {
        return Optional.ofNullable(entries.get(option.longestName())).map(Entry::text);
    }

    /** Returns where this file sets the option, e.g. {@code /etc/loopkeeper/loopkeeper.conf:3}. */
    Optional<String> location(OptionSpec option) {
        return Optional.ofNullable(entries.get(option.longestName())).map(Entry::location);
    }
}
