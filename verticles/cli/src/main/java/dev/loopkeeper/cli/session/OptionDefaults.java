package dev.loopkeeper.cli.session;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Provides options that were not typed: from the environment, e.g. {@code --max-runs} from {@code LOOPKEEPER_MAX_RUNS},
 * then from the configuration file if there is one.
 */
public final class OptionDefaults implements IDefaultValueProvider {
    /**
     * Variables that Loopkeeper sets for steps and that have the name of an option. They must not set options of this
     * program if an agent calls it.
     */
    private static final Set<String> OF_STEPS = Set.of("LOOPKEEPER_RUN_ID", "LOOPKEEPER_FEEDBACK");

    private final Map<String, String> environment;
    private Optional<SettingsFile> file = Optional.empty();

    public OptionDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Sets the configuration file that the command line names. */
    public void take(SettingsFile named) {
        file = Optional.of(named);
    }

    Optional<SettingsFile> file() {
        return file;
    }

    /** Returns the variable of an option, e.g. {@code LOOPKEEPER_DATA} of {@code --data}. */
    public static String variable(OptionSpec option) {
        String name = option.longestName().replaceFirst("^-+", "");
        return "LOOPKEEPER_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /**
     * Returns whether only arguments set the options of this command; the word after an option is then always its
     * value.
     */
    public static boolean areOnlyTyped(CommandSpec command) {
        return command.parser().allowOptionsAsOptionParameters();
    }

    /** Returns whether the option can be set by its variable. */
    public static boolean mirrors(OptionSpec option) {
        return !option.usageHelp()
                && !option.versionHelp()
                && !areOnlyTyped(option.command())
                && !OF_STEPS.contains(variable(option));
    }

    @Override
    public String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !mirrors(option)) {
            return null;
        }
        Optional<String> value = variableValue(option, environment);
        if (value.isEmpty()) {
            return file.flatMap(settings -> settings.text(option)).orElse(null);
        }
        return option.arity().max() == 0 ? flag(value.get()) : value.get();
    }

    /**
     * Returns the value of the option's variable; an empty variable is treated as absent, as scripts often set those.
     */
    static Optional<String> variableValue(OptionSpec option, Map<String, String> environment) {
        return Optional.ofNullable(environment.get(variable(option))).filter(value -> !value.isEmpty());
    }

    private static String flag(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes", "on" -> "true";
            case "0", "false", "no", "off" -> "false";
            default -> value;
        };
    }
}
