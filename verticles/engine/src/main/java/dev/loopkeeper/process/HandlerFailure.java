package dev.loopkeeper.process;

import dev.loopkeeper.manifest.HandlerSpec;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.ErrorKind;
import io.vertx.core.eventbus.ReplyException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The exception with which a handler failed, as the error of its step. */
record HandlerFailure(Throwable cause) {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerFailure.class);
    private static final int MOST_OF_TRACE = 64 << 10;

    /** Its stack trace, and below it what it says: the end of a log is searched for known errors. */
    String text() {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace));
        String frames = trace.toString();
        return frames.substring(0, Math.min(MOST_OF_TRACE, frames.length())) + "\n" + summary() + "\n";
    }

    private String summary() {
        Throwable deepest = cause;
        for (int depth = 0; depth < 20 && deepest.getCause() != null; depth++) {
            deepest = deepest.getCause();
        }
        return deepest == cause ? cause.toString() : cause + ": caused by " + deepest;
    }

    /** Its error by category; empty where its text decides. A failed reply of the event bus passes by itself. */
    Optional<ErrorContext> error(HandlerSpec handler, Function<Throwable, Optional<ErrorCategory>> categories) {
        Optional<ErrorCategory> lost = handler.address().isPresent() && cause instanceof ReplyException
                ? Optional.of(ErrorCategory.SESSION_FAILED)
                : Optional.empty();
        return category(categories).or(() -> lost).map(this::of);
    }

    private Optional<ErrorCategory> category(Function<Throwable, Optional<ErrorCategory>> categories) {
        try {
            return categories.apply(cause);
        } catch (RuntimeException broken) {
            LOG.warn("LoopkeeperOptions.errors failed for {}", cause.toString(), broken);
            return Optional.empty();
        }
    }

    private ErrorContext of(ErrorCategory category) {
        ErrorKind kind = switch (category) {
            case PROVIDER -> ErrorKind.SERVER;
            case NETWORK -> ErrorKind.NETWORK;
            case TIMEOUT -> ErrorKind.TIMEOUT;
            case IDLE -> ErrorKind.IDLE;
            case ABORTED -> ErrorKind.ABORTED;
            case SESSION_FAILED -> ErrorKind.SESSION_FAILED;
            case UNKNOWN -> ErrorKind.UNCLASSIFIED;
        };
        return ErrorContext.of(kind, summary()).withIsTransient(kind.isTransient() || kind == ErrorKind.SESSION_FAILED);
    }
}
