package dev.loopkeeper.contract;

/**
 * A failure that crosses the event bus: {@link RequestChannel#ask} fails with the exception itself, and other users of
 * the bus get its code as {@code ReplyException.failureCode()}.
 */
public interface CodedFailure {
    /** Returns a stable positive code other than {@link RequestChannel#BROKEN}, e.g. 409. */
    int failureCode();
}
