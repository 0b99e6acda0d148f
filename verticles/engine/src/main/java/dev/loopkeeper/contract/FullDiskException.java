package dev.loopkeeper.contract;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The disk of what was to be written is full, or its owner's quota is used up: nobody's work failed, it had no room. */
public final class FullDiskException extends RuntimeException implements CodedFailure {
    private static final int CODE = 507;

    /** What the system says, in the language of programs. */
    private static final List<String> WORDS = List.of("No space left on device", "Disk quota exceeded");

    /** The message names what was to be written, and the remedy. */
    public FullDiskException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The same where a full disk is what it comes down to. */
    public static Optional<FullDiskException> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FullDiskException known) {
                return Optional.of(known);
            }
            String text = cause.getMessage();
            if (cause instanceof IOException && text != null && WORDS.stream().anyMatch(text::contains)) {
                return Optional.of(new FullDiskException(text + "; make room on that disk", failure));
            }
        }
        return Optional.empty();
    }

    @Override
    public int failureCode() {
        return CODE;
    }
}
