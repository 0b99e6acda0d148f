package dev.loopkeeper.contract;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The environment and umask of the command that submitted a run, for the agents of that run. It may hold secrets, so it
 * is kept in memory only.
 *
 * @param variables without {@code LOOPKEEPER_*}, which mean this process
 * @param umask octal, e.g. {@code 0022}; absent: that of the runtime
 * @param outer the run in whose step the command runs, if any
 */
public record ClientEnvironment(Map<String, String> variables, Optional<String> umask, Optional<String> outer) {
    /** Most bytes of names and values together. */
    public static final int MOST_BYTES = 256 << 10;
    /** Code of the notice that a run has one. */
    public static final String GIVEN = "client-environment";
    /** Code of the notice that it is lost. */
    public static final String LOST = "client-environment-lost";
    /** Set in every step. */
    public static final String OUTER = "LOOPKEEPER_RUN_ID";

    public ClientEnvironment {
        variables = Map.copyOf(variables);
    }

    /** Returns what agents inherit from a command with this environment. */
    public static ClientEnvironment of(Map<String, String> environment, Optional<String> umask) {
        Map<String, String> inherited = environment.entrySet().stream()
                .filter(variable -> !variable.getKey().startsWith("LOOPKEEPER_"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new ClientEnvironment(inherited, umask, Optional.ofNullable(environment.get(OUTER)));
    }

    /** Returns the bytes of names and values. */
    public int bytes() {
        return variables.entrySet().stream()
                .mapToInt(variable -> (variable.getKey() + variable.getValue()).getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    /** Without names and values. */
    @Override
    public String toString() {
        return "ClientEnvironment[" + variables.size() + " variables, umask " + umask.orElse("of the runtime") + "]";
    }
}
