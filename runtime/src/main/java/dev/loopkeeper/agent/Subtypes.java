package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import java.util.Set;

/** The terminations that a step's output can come to, as they are spelled everywhere. */
final class Subtypes {
    static final String STOP = "stop";
    static final String SUBMITTED = "submitted";
    static final String MAX_TURNS = "error_max_turns";
    static final String MAX_BUDGET = "error_max_budget_usd";
    static final String MAX_STRUCTURED_OUTPUT_RETRIES = "error_max_structured_output_retries";
    static final String DURING_EXECUTION = "error_during_execution";
    static final String SCHEMA_VALIDATION = "error_schema_validation";
    static final String PROMPT_TOO_LONG = "error_prompt_too_long";
    static final String PROVIDER_AUTH = "error_provider_auth";
    static final String PROVIDER_UNAVAILABLE = "error_provider_unavailable";
    static final String INFRASTRUCTURE = "error_infrastructure";
    static final String INTERRUPTED = "error_interrupted";
    static final String CRASHED = "error_crashed";
    static final String HALTED = "error_halted";

    private static final Set<String> SUCCESS = Set.of(STOP, SUBMITTED);

    private Subtypes() {}

    static boolean isSuccess(String subtype) {
        return SUCCESS.contains(subtype);
    }

    /** What a step comes to that this kind of error ended. */
    static String of(ErrorKind kind) {
        return switch (kind) {
            case AUTH, BILLING, ENTITLEMENT, MODEL_MISSING -> PROVIDER_AUTH;
            case USAGE_WINDOW, RATE_LIMIT, OVERLOADED, SERVER, NETWORK, STREAM_CUT -> PROVIDER_UNAVAILABLE;
            case CONTEXT_OVERFLOW -> PROMPT_TOO_LONG;
            case INFRASTRUCTURE -> INFRASTRUCTURE;
            case ABORTED -> INTERRUPTED;
            case CRASHED -> CRASHED;
            case BAD_REQUEST, TIMEOUT, IDLE, SESSION_FAILED, UNCLASSIFIED -> DURING_EXECUTION;
        };
    }
}
