package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.termination.StandardReason;
import java.util.Set;

/** The termination subtypes of a step's output. */
final class Subtypes {
    static final String STOP = StandardReason.STOP.subtype();
    static final String SUBMITTED = StandardReason.SUBMITTED.subtype();
    static final String MAX_TURNS = StandardReason.CONVERGENCE_LIMIT.subtype();
    static final String MAX_BUDGET = StandardReason.BUDGET_EXCEEDED.subtype();
    static final String MAX_STRUCTURED_OUTPUT_RETRIES = StandardReason.STRUCTURED_OUTPUT.subtype();
    static final String DURING_EXECUTION = StandardReason.EXECUTION_ERROR.subtype();
    static final String SCHEMA_VALIDATION = StandardReason.SCHEMA_VALIDATION.subtype();
    static final String PROMPT_TOO_LONG = StandardReason.PROMPT_TOO_LONG.subtype();
    static final String PROVIDER_AUTH = StandardReason.PROVIDER_AUTH.subtype();
    static final String PROVIDER_UNAVAILABLE = StandardReason.PROVIDER_UNAVAILABLE.subtype();
    static final String INFRASTRUCTURE = StandardReason.INFRASTRUCTURE.subtype();
    static final String INTERRUPTED = StandardReason.INTERRUPTED.subtype();
    static final String CRASHED = StandardReason.CRASHED.subtype();
    static final String HALTED = StandardReason.HALTED.subtype();

    private static final Set<String> SUCCESS = Set.of(STOP, SUBMITTED);

    private Subtypes() {}

    static boolean isSuccess(String subtype) {
        return SUCCESS.contains(subtype);
    }

    /** The subtype of a step that this kind of error ended. */
    static String of(ErrorKind kind) {
        return switch (kind) {
            case AUTH, BILLING, ENTITLEMENT, MODEL_MISSING -> PROVIDER_AUTH;
            case USAGE_WINDOW, RATE_LIMIT, OVERLOADED, SERVER, NETWORK, STREAM_CUT -> PROVIDER_UNAVAILABLE;
            case CONTEXT_OVERFLOW -> PROMPT_TOO_LONG;
            case INFRASTRUCTURE -> INFRASTRUCTURE;
            case ABORTED -> INTERRUPTED;
            case CRASHED, NODE_LOST -> CRASHED;
            case BAD_REQUEST, TIMEOUT, IDLE, SESSION_FAILED, BAD_PROMPT, SANDBOX, UNCLASSIFIED -> DURING_EXECUTION;
        };
    }
}
