package dev.loopkeeper.verdict;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The step that writes a signal, read from its environment.
 *
 * @param file the signal file, from {@code LOOPKEEPER_SIGNAL_FILE}
 */
public record SignalStep(String file, SignalExpectation expected) {
    /** The message outside a step. */
    public static final String OUTSIDE =
            "this is not a step of a run: LOOPKEEPER_NONCE and LOOPKEEPER_SIGNAL_FILE are not set; agents that Loopkeeper"
                    + " launches get them";
    /** The message in a step without a declared signal file. */
    public static final String UNDECLARED =
            "the agent of this step declares no signal file; add signal: to the agent in the manifest";

    private static final String FILE = "LOOPKEEPER_SIGNAL_FILE";
    private static final String NONCE = "LOOPKEEPER_NONCE";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    /** Explains why this environment permits no signal; empty when it permits one. */
    public static Optional<String> obstacle(Map<String, String> environment) {
        if (environment.getOrDefault(NONCE, "").isEmpty() || !environment.containsKey(FILE)) {
            return Optional.of(OUTSIDE);
        }
        return environment.get(FILE).isEmpty() ? Optional.of(UNDECLARED) : Optional.empty();
    }

    /** Reads the step from an environment without an {@link #obstacle}. */
    public static SignalStep of(Map<String, String> environment) {
        SignalExpectation expected = new SignalExpectation(
                environment.get(NONCE),
                number(environment, "LOOPKEEPER_ATTEMPT"),
                number(environment, "LOOPKEEPER_ITERATION"));
        return new SignalStep(environment.get(FILE), expected);
    }

    private static Optional<Integer> number(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(NUMBER.asMatchPredicate())
                .map(Integer::valueOf);
    }
}
