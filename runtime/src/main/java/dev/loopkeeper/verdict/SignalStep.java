package dev.loopkeeper.verdict;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.termination.StandardReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The step that writes a signal, read from its environment.
 *
 * @param file the signal file, from {@code LOOPKEEPER_SIGNAL_FILE}
 * @param reasons the manifest's own reason codes, from {@code LOOPKEEPER_REASONS}; absent if they are unknown
 */
public record SignalStep(String file, SignalExpectation expected, Optional<List<String>> reasons) {
    /** The manifest's own reason codes, separated by commas; not set where they are too long for a variable. */
    public static final String REASONS = "LOOPKEEPER_REASONS";

    /** The message outside a step. */
    public static final String OUTSIDE =
            "this is not a step of a run: LOOPKEEPER_NONCE and LOOPKEEPER_SIGNAL_FILE are not set; Loopkeeper sets them"
                    + " for the agents that it launches";
    /** The message in a step without a declared signal file. */
    public static final String UNDECLARED =
            "the agent of this step declares no signal file; add signal: to the agent in the manifest";

    private static final String FILE = "LOOPKEEPER_SIGNAL_FILE";
    private static final String NONCE = "LOOPKEEPER_NONCE";

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
                Optional.ofNullable(environment.get("LOOPKEEPER_ATTEMPT")),
                Optional.ofNullable(environment.get("LOOPKEEPER_ITERATION")));
        Optional<List<String>> reasons =
                Optional.ofNullable(environment.get(REASONS)).map(codes -> List.of(codes.split(",")));
        return new SignalStep(environment.get(FILE), expected, reasons);
    }

    /** Explains why the signal's {@code terminal} cannot end the run; empty when it can, or when there is none. */
    Optional<String> objection(Signal signal) {
        return signal.terminal()
                .map(TerminalSignal::reasonCode)
                .filter(code -> StandardReason.ofCode(code).isEmpty()
                        && reasons.filter(codes -> !codes.contains(code)).isPresent())
                .map(code -> TerminalSignal.unknownReason(RefusedValue.of(TextNode.valueOf(code))));
    }
}
