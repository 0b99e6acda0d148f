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
    private static final int MOST_OF_SUMMARY = 4 << 10;

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
        String all = deepest == cause ? cause.toString() : cause + ": caused by " + deepest;
        return all.substring(0, Math.min(MOST_OF_SUMMARY, all.length()));
    }

    /** Its error by category; empty where its text decides. A failed reply of the event bus is retried. */
    Optional<ErrorContext> error(HandlerSpec handler, Function<Throwable, Optional<ErrorCategory>> categories) {
        return category(categories)
                .map(category -> of(category, summary()))
                .or(() -> handler.address()
                        .filter(address -> cause instanceof ReplyException)
                        .map(address -> of(ErrorCategory.SESSION_FAILED, lost(address, (ReplyException) cause))));
    }

    private static String lost(String address, ReplyException reply) {
        String handler = "the handler at address \"" + address + "\" of the event bus ";
        return switch (reply.failureType()) {
            case NO_HANDLERS -> handler + "is not there; start it";
            case TIMEOUT -> handler + "did not reply in time";
            default -> handler + "failed: " + reply.getMessage();
        };
    }

    private Optional<ErrorCategory> category(Function<Throwable, Optional<ErrorCategory>> categories) {
        try {
            return categories.apply(cause).or(Optional::empty);
        } catch (Throwable broken) {
            LOG.warn("LoopkeeperOptions.errors failed for {}", cause.toString(), broken);
            return Optional.empty();
        }
    }

    private static ErrorContext of(ErrorCategory category, String message) {
        ErrorKind kind = switch (category) {
            case PROVIDER -> ErrorKind.SERVER;
            case NETWORK -> ErrorKind.NETWORK;
            case TIMEOUT -> ErrorKind.TIMEOUT;
            case IDLE -> ErrorKind.IDLE;
            case ABORTED -> ErrorKind.ABORTED;
            case SESSION_FAILED -> ErrorKind.SESSION_FAILED;
            case UNKNOWN -> ErrorKind.UNCLASSIFIED;
        };
        return ErrorContext.of(kind, message).withIsTransient(kind.isTransient() || kind == ErrorKind.SESSION_FAILED);
    }
}
