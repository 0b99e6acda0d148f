package dev.loopkeeper.step;

import dev.loopkeeper.json.WireName;
import java.time.Duration;
import java.util.Optional;

/** The kinds of errors: what each is called, whether it passes by itself and how long to wait when nobody said. */
public enum ErrorKind implements WireName {
    /** A plan's allowance is used up until it resets. */
    USAGE_WINDOW("usage-window", ErrorCategory.PROVIDER, Delays.LONG),
    /** The account must be paid or topped up. */
    BILLING("billing", ErrorCategory.PROVIDER, Delays.NEVER),
    /** Too many requests just now. */
    RATE_LIMIT("rate-limit", ErrorCategory.PROVIDER, Duration.ofSeconds(60)),
    /** The machine under us is the matter; ends the run {@code error_infrastructure}. */
    INFRASTRUCTURE("infrastructure", ErrorCategory.UNKNOWN, Delays.NEVER),
    /** More text than the model takes. */
    CONTEXT_OVERFLOW("context-overflow", ErrorCategory.PROVIDER, Delays.NEVER),
    /** The provider has too much to do. */
    OVERLOADED("overloaded", ErrorCategory.PROVIDER, Delays.SERVER),
    /** The way to the provider failed. */
    NETWORK("network", ErrorCategory.NETWORK, Duration.ofSeconds(3)),
    /** An answer that broke off. */
    STREAM_CUT("stream-cut", ErrorCategory.NETWORK, Duration.ofSeconds(15)),
    /** The plan does not include what was asked for. */
    ENTITLEMENT("entitlement", ErrorCategory.PROVIDER, Delays.NEVER),
    /** No such model. */
    MODEL_MISSING("model-missing", ErrorCategory.PROVIDER, Delays.NEVER),
    /** Who we are was not accepted. */
    AUTH("auth", ErrorCategory.PROVIDER, Delays.NEVER),
    /** The provider failed. */
    SERVER("server", ErrorCategory.PROVIDER, Delays.SERVER),
    /** The provider did not understand the request. */
    BAD_REQUEST("bad-request", ErrorCategory.PROVIDER, Delays.NEVER),
    /** An operator or a shutdown ended it. */
    ABORTED("aborted", ErrorCategory.ABORTED, Delays.NEVER),
    /** The hard limit passed. */
    TIMEOUT("timeout", ErrorCategory.TIMEOUT, Delays.NEVER),
    /** Nothing moved for too long. */
    IDLE("idle", ErrorCategory.IDLE, Delays.NEVER),
    /** It could not be launched. */
    SESSION_FAILED("session-failed", ErrorCategory.SESSION_FAILED, Delays.NEVER),
    /** Its prompt cannot be used: the file is gone, or holds a name that nobody knows. A person must put it right. */
    BAD_PROMPT("bad-prompt", ErrorCategory.SESSION_FAILED, Delays.NEVER),
    /** Its process was ended by a signal that was not ours, or vanished. */
    CRASHED("crashed", ErrorCategory.UNKNOWN, Delays.NEVER),
    /** Its node was lost, in a cluster. */
    NODE_LOST("node-lost", ErrorCategory.UNKNOWN, Duration.ofSeconds(3)),
    /** None of these. */
    UNCLASSIFIED("unclassified", ErrorCategory.UNKNOWN, Delays.NEVER);

    private final String wire;
    private final ErrorCategory category;
    private final Duration defaultDelay;

    ErrorKind(String wire, ErrorCategory category, Duration defaultDelay) {
        this.wire = wire;
        this.category = category;
        this.defaultDelay = defaultDelay;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** The broad cause. */
    public ErrorCategory category() {
        return category;
    }

    /** Whether the same again may succeed. */
    public boolean isTransient() {
        return !defaultDelay.isZero();
    }

    /** The wait before the first retry when nothing is stated; zero for what does not pass by itself. */
    public Duration defaultDelay() {
        return defaultDelay;
    }

    /** The kind with this spelling. */
    public static Optional<ErrorKind> of(String wire) {
        return WireName.find(ErrorKind.class, wire);
    }

    /** Figures of the table that several rows share. */
    private static final class Delays {
        static final Duration NEVER = Duration.ZERO;
        static final Duration SERVER = Duration.ofSeconds(30);
        static final Duration LONG = Duration.ofMinutes(5);
    }
}
