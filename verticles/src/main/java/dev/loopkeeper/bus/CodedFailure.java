package dev.loopkeeper.bus;

/** A failure that askers must recognise: its code reaches them as {@code ReplyException.failureCode()}. */
public interface CodedFailure {
    /** Stable and positive, not {@link RequestChannel#BROKEN}; e.g. 409. */
    int failureCode();
}
