package dev.loopkeeper.contract;

/**
 * A failure that crosses the event bus: {@link RequestChannel#ask} fails with the exception itself, and other users of
 * the bus get its code as {@code ReplyException.failureCode()}.
 */
public abstract class CodedFailure extends RuntimeException {
    private final int code;

    /**
     * Creates a failure.
     *
     * @param code stable and positive, other than {@link RequestChannel#BROKEN}, e.g. 409
     * @param cause may be null
     */
    protected CodedFailure(int code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Returns its code on the event bus. */
    public final int failureCode() {
        return code;
    }
}
