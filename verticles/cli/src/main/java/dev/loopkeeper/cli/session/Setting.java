package dev.loopkeeper.cli.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The effective value of one option of a command.
 *
 * @param key name in a configuration file, e.g. {@code maxRuns}
 * @param option name on the command line
 * @param value empty if nothing is set and the default cannot be written
 * @param from {@code flag}, {@code variable}, {@code file} or {@code default}
 * @param where the option, the variable, or file and line that set the value; empty for a default
 */
public record Setting(String key, String option, Optional<String> value, String from, Optional<String> where) {
    private static final Pattern PASSWORD = Pattern.compile("(://[^/@:]*):[^/@]*@");

    /** Returns the settings of a parsed command that a configuration file may set, in the order of their keys. */
    static List<Setting> of(CommandSpec command, Map<String, String> environment, Optional<SettingsFile> file) {
        ParseResult typed = command.commandLine().getParseResult();
        ParseResult before = command.root().commandLine().getParseResult();
        List<Setting> settings = new ArrayList<>();
        for (OptionSpec option : SettingsFile.options(command)) {
            boolean isTyped =
                    typed.hasMatchedOption(option.longestName()) || before.hasMatchedOption(option.longestName());
            settings.add(of(option, isTyped, environment, file));
        }
        settings.sort((one, other) -> one.key().compareTo(other.key()));
        return settings;
    }

    private static Setting of(
            OptionSpec option, boolean isTyped, Map<String, String> environment, Optional<SettingsFile> file) {
        if (isTyped) {
            return at(option, "flag", Optional.of(option.longestName()));
        }
        if (OptionDefaults.variableValue(option, environment).isPresent()) {
            return at(option, "variable", Optional.of(OptionDefaults.variable(option)));
        }
        Optional<String> location = file.flatMap(settings -> settings.location(option));
        return at(option, location.isPresent() ? "file" : "default", location);
    }

    private static Setting at(OptionSpec option, String from, Optional<String> where) {
        Object value = option.getValue();
        Optional<String> text = value instanceof Collection<?> many
                ? Optional.of(many.stream().map(String::valueOf).collect(Collectors.joining(", ")))
                : Optional.ofNullable(value).map(String::valueOf);
        return new Setting(
                SettingsFile.key(option), option.longestName(), text.map(Setting::withoutPassword), from, where);
    }

    private static String withoutPassword(String text) {
        return PASSWORD.matcher(text).replaceAll("$1:***@");
    }

    /** Returns the setting with this value if the option itself has none. */
    Setting or(String otherwise) {
        return value.isPresent() ? this : new Setting(key, option, Optional.of(otherwise), from, where);
    }
}
