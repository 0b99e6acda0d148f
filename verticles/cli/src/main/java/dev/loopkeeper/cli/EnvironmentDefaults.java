package dev.loopkeeper.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Takes options from the environment: {@code --max-runs} from {@code LOOPKEEPER_MAX_RUNS}. */
final class EnvironmentDefaults implements IDefaultValueProvider {
    /** What steps find in their environment: an agent that calls this program must not set options by it. */
    static final Set<String> OF_STEPS = Set.of(
            "LOOPKEEPER_RUN_ID",
            "LOOPKEEPER_EXECUTION",
            "LOOPKEEPER_PHASE",
            "LOOPKEEPER_ITERATION",
            "LOOPKEEPER_ITEM",
            "LOOPKEEPER_ATTEMPT",
            "LOOPKEEPER_STEP_ID",
            "LOOPKEEPER_NONCE",
            "LOOPKEEPER_SIGNAL_FILE",
            "LOOPKEEPER_FEEDBACK");

    private final Map<String, String> environment;

    EnvironmentDefaults(Map<String, String> environment) {
        this.environment = environment;
    }

    /** The variable of an option, e.g. {@code LOOPKEEPER_DATA} of {@code --data}. */
    static String variable(OptionSpec option) {
        String name = option.longestName().replaceFirst("^-+", "");
        return "LOOPKEEPER_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** Whether the option can be set by its variable. */
    static boolean mirrors(OptionSpec option) {
        return !option.usageHelp() && !option.versionHelp() && !OF_STEPS.contains(variable(option));
    }

    @Override
    public String defaultValue(ArgSpec argument) {
        if (!(argument instanceof OptionSpec option) || !mirrors(option)) {
            return null;
        }
        String value = environment.get(variable(option));
        // An empty variable is as good as none, as scripts set them.
        if (value == null || value.isEmpty()) {
            return null;
        }
        return option.arity().max() == 0 ? flag(value) : value;
    }

    private static String flag(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "1", "true", "yes", "on" -> "true";
            case "0", "false", "no", "off" -> "false";
            default -> value;
        };
    }
}
