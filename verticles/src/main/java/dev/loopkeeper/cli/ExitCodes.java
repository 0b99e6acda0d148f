package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.termination.Category;
import dev.loopkeeper.termination.StandardReason;

/** What the process exits with. A signal adds 130 or 143, which the JVM itself sees to. */
final class ExitCodes {
    /** Done; for a run: completed. */
    static final int DONE = 0;
    /** The run failed, and a person must mend something; also: this program broke. */
    static final int FATAL = 1;
    /** Bad usage, an invalid manifest, or a refusal; nothing was started. */
    static final int REFUSED = 2;
    /** The run stopped at a limit. */
    static final int CAPACITY = 3;
    /** The run waits for a person. */
    static final int PAUSED = 4;
    /** The run ended by something that may pass. */
    static final int RETRYABLE = 5;
    /** An operator stopped the run. */
    static final int OPERATOR = 6;
    /** No server, or no such run. */
    static final int UNREACHABLE = 7;
    /** The wait was over first. */
    static final int TIMED_OUT = 124;

    private ExitCodes() {}

    /** The code for a run object that is paused or has ended. */
    static int of(JsonNode run) {
        return switch (run.path("status").asText()) {
            case "completed" -> DONE;
            case "failed" -> FATAL;
            case "paused" -> PAUSED;
            default -> ofTermination(run.path("termination"));
        };
    }

    private static int ofTermination(JsonNode termination) {
        if (termination.path("subtype").asText().equals(StandardReason.OPERATOR_STOP.subtype())) {
            return OPERATOR;
        }
        String category = termination.path("category").asText();
        if (category.equals(Category.CAPACITY.wire())) {
            return CAPACITY;
        }
        return category.equals(Category.RETRYABLE.wire()) ? RETRYABLE : FATAL;
    }
}
