package dev.loopkeeper.data;

import dev.loopkeeper.contract.CodedFailure;

/** Reports that a part of the data folder cannot be read or written; the message names it and the remedy. */
public final class DataFolderException extends CodedFailure {
    private static final int CODE = 507;

    /** The cause may be null. */
    public DataFolderException(String message, Throwable cause) {
        super(CODE, message, cause);
    }
}
