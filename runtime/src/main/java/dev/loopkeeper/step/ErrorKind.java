package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;
import java.time.Duration;
import java.util.Optional;

/** The kind of an error: its name, whether it is transient, and its default delay. */
public enum ErrorKind implements WireName {
    /** A plan's allowance is exhausted until it resets. */
    USAGE_WINDOW(ErrorCategory.PROVIDER, Delays.LONG),
    /** The account must be paid or topped up. */
    BILLING(ErrorCategory.PROVIDER, Delays.NEVER),
    /** Too many requests. */
    RATE_LIMIT(ErrorCategory.PROVIDER, Duration.ofSeconds(60)),
    /** The machine that runs Loopkeeper failed; ends the run with {@code error_infrastructure}. */
    INFRASTRUCTURE(ErrorCategory.UNKNOWN, Delays.NEVER),
    /** The input exceeds the model's context window. */
    CONTEXT_OVERFLOW(ErrorCategory.PROVIDER, Delays.NEVER),
    /** The provider is overloaded. */
    OVERLOADED(ErrorCategory.PROVIDER, Delays.SERVER),
    /** The network failed between the agent and the provider. */
    NETWORK(ErrorCategory.NETWORK, Duration.ofSeconds(3)),
    /** The provider's response broke off. */
    STREAM_CUT(ErrorCategory.NETWORK, Duration.ofSeconds(15)),
    /** The plan does not include the requested feature. */
    ENTITLEMENT(ErrorCategory.PROVIDER, Delays.NEVER),
    /** The model does not exist. */
    MODEL_MISSING(ErrorCategory.PROVIDER, Delays.NEVER),
    /** The provider refused the credentials. */
    AUTH(ErrorCategory.PROVIDER, Delays.NEVER),
    /** The provider failed. */
    SERVER(ErrorCategory.PROVIDER, Delays.SERVER),
    /** The provider rejected the request as malformed. */
    BAD_REQUEST(ErrorCategory.PROVIDER, Delays.NEVER),
    /** An operator or a shutdown stopped the step. */
    ABORTED(ErrorCategory.ABORTED, Delays.NEVER),
    /** The step exceeded its time limit. */
    TIMEOUT(ErrorCategory.TIMEOUT, Delays.NEVER),
    /** The step exceeded its idle limit. */
    IDLE(ErrorCategory.IDLE, Delays.NEVER),
    /** The step could not be launched. */
    SESSION_FAILED(ErrorCategory.SESSION_FAILED, Delays.NEVER),
    /** The prompt is unusable: the file is missing, or contains an unknown name. A person must correct it. */
    BAD_PROMPT(ErrorCategory.SESSION_FAILED, Delays.NEVER),
    /** The machine cannot enforce the sandbox. A person must correct either. */
    SANDBOX(ErrorCategory.SESSION_FAILED, Delays.NEVER),
    /** A signal from outside Loopkeeper killed the process, or it vanished. */
    CRASHED(ErrorCategory.UNKNOWN, Delays.NEVER),
    /** The step's cluster node was lost. */
    NODE_LOST(ErrorCategory.UNKNOWN, Duration.ofSeconds(3)),
    /** None of these. */
    UNCLASSIFIED(ErrorCategory.UNKNOWN, Delays.NEVER);

    private final ErrorCategory category;
    private final Duration defaultDelay;

    ErrorKind(ErrorCategory category, Duration defaultDelay) {
        this.category = category;
        this.defaultDelay = defaultDelay;
    }

    /** The broad cause. */
    public ErrorCategory category() {
        return category;
    }

    /** Whether a retry may succeed. */
    public boolean isTransient() {
        return !defaultDelay.isZero();
    }

    /** The delay before the first retry when none is stated; zero for permanent errors. */
    public Duration defaultDelay() {
        return defaultDelay;
    }

    /** The kind with this spelling. */
    public static Optional<ErrorKind> of(String wire) {
        return WireName.find(ErrorKind.class, wire);
    }

    /** Delays that several kinds share. */
    private static final class Delays {
        static final Duration NEVER = Duration.ZERO;
        static final Duration SERVER = Duration.ofSeconds(30);
        static final Duration LONG = Duration.ofMinutes(5);
    }
}
