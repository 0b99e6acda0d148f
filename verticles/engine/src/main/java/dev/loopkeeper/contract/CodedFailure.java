package dev.loopkeeper.contract;

/**
 * A failure that askers must recognise: {@link RequestChannel#ask} fails with it, and whoever uses the bus itself sees its
 * code as {@code ReplyException.failureCode()}.
 */
public interface CodedFailure {
    /** Stable and positive, not {@link RequestChannel#BROKEN}; e.g. 409. */
    int failureCode();
}
