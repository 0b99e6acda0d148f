package dev.loopkeeper.termination;

import static dev.loopkeeper.termination.Category.CAPACITY;
import static dev.loopkeeper.termination.Category.FATAL;
import static dev.loopkeeper.termination.Category.RETRYABLE;
import static dev.loopkeeper.termination.Category.SUCCESS;
import static dev.loopkeeper.termination.ResumeNeed.ACKNOWLEDGE;
import static dev.loopkeeper.termination.ResumeNeed.ATTEMPTS_OR_RESET_ITEMS;
import static dev.loopkeeper.termination.ResumeNeed.BUDGET;
import static dev.loopkeeper.termination.ResumeNeed.FEEDBACK;
import static dev.loopkeeper.termination.ResumeNeed.FEEDBACK_OR_MANIFEST;
import static dev.loopkeeper.termination.ResumeNeed.ITERATIONS_OR_FEEDBACK;
import static dev.loopkeeper.termination.ResumeNeed.MANIFEST;
import static dev.loopkeeper.termination.ResumeNeed.NEVER;
import static dev.loopkeeper.termination.ResumeNeed.NONE;
import static dev.loopkeeper.termination.ResumeNeed.RESET_BLOCKING_ITEMS;
import static dev.loopkeeper.termination.ResumeNeed.THRESHOLD_OR_RESET_STATISTICS;

import java.util.Arrays;
import java.util.Optional;

/** The built-in reasons for the end of an execution. */
public enum StandardReason implements TerminationReason {
    /** All phases are complete. */
    STOP("stop", null, SUCCESS, NEVER, "all phases are complete"),
    /** All phases are complete and an agent handed in a deliverable. */
    SUBMITTED("submitted", null, SUCCESS, NEVER, "all phases are complete and work was submitted"),
    /** A loop's last iteration did not succeed. */
    CONVERGENCE_LIMIT(
            "error_max_turns", "convergence-limit", CAPACITY, ITERATIONS_OR_FEEDBACK, "iteration limit reached"),
    /** A cap on cost, tokens or turns was reached. */
    BUDGET_EXCEEDED("error_max_budget_usd", "budget-exceeded", CAPACITY, BUDGET, "budget used up"),
    /** An item used up its attempts. */
    MAX_RETRIES("error_max_retries", "max-retries-exhausted", CAPACITY, ATTEMPTS_OR_RESET_ITEMS, "attempts used up"),
    /** A rate or the circuit breaker was exceeded. */
    STOP_CONDITION(
            "error_stop_condition", "stop-condition", CAPACITY, THRESHOLD_OR_RESET_STATISTICS, "stop condition met"),
    /** Too many failures in a row. */
    CONSECUTIVE_MISTAKES(
            "error_consecutive_mistakes", "consecutive-mistakes", CAPACITY, NONE, "too many failures in a row"),
    /** The last iterations produced the same result. */
    NO_PROGRESS("error_no_progress", "no-progress", CAPACITY, FEEDBACK, "no progress"),
    /** The agent could not produce output that matches its schema. */
    STRUCTURED_OUTPUT(
            "error_max_structured_output_retries",
            "structured-output-exhausted",
            CAPACITY,
            FEEDBACK_OR_MANIFEST,
            "output does not match its schema"),
    /** The prompt does not fit the model. */
    PROMPT_TOO_LONG(
            "error_prompt_too_long",
            "prompt-too-long",
            CAPACITY,
            FEEDBACK_OR_MANIFEST,
            "prompt too long for the model"),
    /** The model spent its output on thinking. */
    THINKING_STARVED(
            "error_thinking_starved", "thinking-starved", CAPACITY, MANIFEST, "model used up its output on thinking"),
    /** The agent failed in its work. */
    EXECUTION_ERROR("error_during_execution", "execution-error", RETRYABLE, NONE, "failed"),
    /** The agent's output has no final record. */
    SCHEMA_VALIDATION("error_schema_validation", "schema-validation", RETRYABLE, NONE, "result missing or invalid"),
    /** Loopkeeper received a termination signal. */
    INTERRUPTED("error_interrupted", "signal-interrupted", RETRYABLE, NONE, "interrupted"),
    /** A person stopped it; never resumed automatically. */
    OPERATOR_STOP("error_operator_stop", "operator-stop", RETRYABLE, NONE, "stopped by an operator"),
    /** The remaining items depend on items that did not end approved. */
    DEPENDENCY_BLOCKED(
            "error_dependency_blocked",
            "dependency-blocked",
            RETRYABLE,
            RESET_BLOCKING_ITEMS,
            "blocked by failed items"),
    /** The provider stayed unavailable. */
    PROVIDER_UNAVAILABLE("error_provider_unavailable", "provider-unavailable", RETRYABLE, NONE, "provider unavailable"),
    /** The agent's process died. */
    CRASHED("error_crashed", "crashed", RETRYABLE, NONE, "process died"),
    /** A gate failed, again after its retries; a resume evaluates it again, or waives it by name. */
    GATE_FAILED("error_gate_failed", "gate-hard-fail", FATAL, NONE, "gate failed"),
    /** A critical phase failed; a resume reruns it. */
    CRITICAL_PHASE("error_critical_phase", "critical-phase-failure", FATAL, NONE, "critical phase failed"),
    /** An agent, its hook or policy, or a person stopped it. */
    HALTED("error_halted", "halted", FATAL, ACKNOWLEDGE, "halted until its cause is fixed"),
    /** The agent could not shorten its own context. */
    COMPACTION_FAILED(
            "error_compaction_failed", "compaction-failed", FATAL, ACKNOWLEDGE, "context could not be shortened"),
    /** The provider refuses the credentials, the plan or the payment. */
    PROVIDER_AUTH("error_provider_auth", "provider-auth", FATAL, ACKNOWLEDGE, "provider refuses the credentials"),
    /** The runtime or its machine failed, e.g. the disk is full or the event store is unavailable. */
    INFRASTRUCTURE("error_infrastructure", "infrastructure", FATAL, ACKNOWLEDGE, "the runtime or its machine failed");

    private final String subtype;
    private final Optional<String> reasonCode;
    private final Category category;
    private final ResumeNeed resumeNeed;
    private final String words;

    StandardReason(String subtype, String reasonCode, Category category, ResumeNeed resumeNeed, String words) {
        this.subtype = subtype;
        this.reasonCode = Optional.ofNullable(reasonCode);
        this.category = category;
        this.resumeNeed = resumeNeed;
        this.words = words;
    }

    @Override
    public String subtype() {
        return subtype;
    }

    @Override
    public Optional<String> reasonCode() {
        return reasonCode;
    }

    @Override
    public Category category() {
        return category;
    }

    @Override
    public ResumeNeed resumeNeed() {
        return resumeNeed;
    }

    /** For people, e.g. {@code iteration limit reached}. */
    public String words() {
        return words;
    }

    /** The built-in reason with this code, e.g. {@code no-progress}. */
    public static Optional<StandardReason> ofCode(String reasonCode) {
        return Arrays.stream(values())
                .filter(reason -> reason.reasonCode.filter(reasonCode::equals).isPresent())
                .findFirst();
    }

    /** The built-in reason with this subtype, e.g. {@code error_no_progress}. */
    public static Optional<StandardReason> ofSubtype(String subtype) {
        return Arrays.stream(values())
                .filter(reason -> reason.subtype.equals(subtype))
                .findFirst();
    }

    /** Whether a step or run with this subtype succeeded. */
    public static boolean isSuccess(String subtype) {
        return ofSubtype(subtype)
                .filter(reason -> reason.category == Category.SUCCESS)
                .isPresent();
    }
}
