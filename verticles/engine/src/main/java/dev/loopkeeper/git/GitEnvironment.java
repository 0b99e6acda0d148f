package dev.loopkeeper.git;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The environment of a call of git, which also has its settings. Immutable.
 *
 * @param variables beside those that every call has
 * @param settings beside those that every call has; they win over all files of settings
 * @param hooks whether hooks of the repository run
 */
record GitEnvironment(Map<String, String> variables, Map<String, String> settings, boolean hooks) {
    /** That of a call without hooks. */
    static final GitEnvironment PLAIN = new GitEnvironment(Map.of(), Map.of(), false);

    private static final Map<String, String> SETTINGS = ofEveryCall();
    private static final String COUNT = "GIT_CONFIG_COUNT";
    private static final String KEY = "GIT_CONFIG_KEY_";
    private static final String VALUE = "GIT_CONFIG_VALUE_";
    /** Variables for settings, programs and remotes that git inherits; none that selects a repository or index. */
    private static final Set<String> KEPT = Set.of(
            COUNT,
            "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_SYSTEM",
            "GIT_CONFIG_NOSYSTEM",
            "GIT_EXEC_PATH",
            "GIT_SSH",
            "GIT_SSH_COMMAND",
            "GIT_SSH_VARIANT");

    private static final List<String> KEPT_BEGINNINGS = List.of(KEY, VALUE, "GIT_SSL_", "GIT_LFS_");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");

    GitEnvironment {
        variables = Map.copyOf(variables);
        settings = Map.copyOf(settings);
    }

    private static Map<String, String> ofEveryCall() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("gc.auto", "0");
        settings.put("maintenance.auto", "false");
        settings.put("core.fsmonitor", "false");
        settings.put("core.fsync", "loose-object,pack,pack-metadata,reference");
        settings.put("core.filesRefLockTimeout", "10000");
        settings.put("core.packedRefsTimeout", "10000");
        settings.put("commit.gpgSign", "false");
        settings.put("i18n.commitEncoding", "UTF-8");
        settings.put("i18n.logOutputEncoding", "UTF-8");
        settings.put("color.ui", "false");
        settings.put("advice.addEmbeddedRepo", "false");
        settings.put("submodule.recurse", "false");
        return settings;
    }

    GitEnvironment with(Map<String, String> more) {
        return new GitEnvironment(joined(variables, more), settings, hooks);
    }

    GitEnvironment set(String key, String value) {
        return new GitEnvironment(variables, joined(settings, Map.of(key, value)), hooks);
    }

    GitEnvironment hooks(boolean wanted) {
        return new GitEnvironment(variables, settings, wanted);
    }

    private static Map<String, String> joined(Map<String, String> some, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(some);
        all.putAll(more);
        return all;
    }

    private static boolean isKept(String name) {
        return !name.startsWith("GIT_")
                || KEPT.contains(name)
                || KEPT_BEGINNINGS.stream().anyMatch(name::startsWith);
    }

    /** Makes the environment of the runtime that of the call. */
    void applyTo(Map<String, String> environment) {
        environment.keySet().removeIf(name -> !isKept(name));
        environment.put("LC_ALL", "C");
        environment.put("GIT_TERMINAL_PROMPT", "0");
        environment.put("GIT_ASKPASS", "false");
        environment.put("SSH_ASKPASS", "false");
        environment.put("SSH_ASKPASS_REQUIRE", "force");
        environment.put("GIT_EDITOR", ":");
        Map<String, String> all = new LinkedHashMap<>(SETTINGS);
        all.putAll(settings);
        if (!hooks) {
            all.put("core.hooksPath", "/dev/null");
        }
        String known = environment.getOrDefault(COUNT, "");
        // Behind those of the person, of which a later one wins.
        int number = NUMBER.matcher(known).matches() ? Integer.parseInt(known) : 0;
        for (Map.Entry<String, String> setting : all.entrySet()) {
            environment.put(KEY + number, setting.getKey());
            environment.put(VALUE + number, setting.getValue());
            number++;
        }
        environment.put(COUNT, Integer.toString(number));
        environment.putAll(variables);
    }
}
