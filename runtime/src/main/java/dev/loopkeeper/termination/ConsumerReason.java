package dev.loopkeeper.termination;

import dev.loopkeeper.manifest.ReasonSpec;
import java.util.Optional;

/**
 * A reason that a manifest declares. Its subtype is the code in the spelling of subtypes: {@code licence-expired}
 * gives {@code error_licence_expired}. A resume needs a person's word after a fatal one, feedback after one of capacity.
 */
public record ConsumerReason(String code, Category category, String advice) implements TerminationReason {
    /** The reason that the manifest declares so. */
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
