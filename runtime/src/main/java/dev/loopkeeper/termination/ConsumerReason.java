package dev.loopkeeper.termination;

import dev.loopkeeper.manifest.ReasonSpec;
import java.util.Optional;

/**
 * A reason that a manifest declares. Its subtype derives from the code: {@code licence-expired} becomes {@code
 * error_licence_expired}. A resume requires an acknowledgement after a fatal reason, and feedback after a capacity
 * reason.
 */
public record ConsumerReason(String code, Category category, String advice) implements TerminationReason {
    /** Converts the manifest's declaration. */
    public static ConsumerReason of(ReasonSpec spec) {
        Category category = switch (spec.category()) {
            case "capacity" -> Category.CAPACITY;
            case "retryable" -> Category.RETRYABLE;
            default -> Category.FATAL;
        };
        return new ConsumerReason(spec.code(), category, spec.advice());
    }

    @Override
    public String subtype() {
        return "error_" + code.replace('-', '_');
    }

    @Override
    public Optional<String> reasonCode() {
        return Optional.of(code);
    }

    @Override
    public ResumeNeed resumeNeed() {
        return switch (category) {
            case SUCCESS -> ResumeNeed.NEVER;
            case CAPACITY -> ResumeNeed.FEEDBACK;
            case RETRYABLE -> ResumeNeed.NONE;
            case FATAL -> ResumeNeed.ACKNOWLEDGE;
        };
    }
}
