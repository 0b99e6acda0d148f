package dev.loopkeeper.termination;

import java.util.Arrays;
import java.util.Optional;

/** The built-in reasons for the end of an execution. */
public enum StandardReason implements TerminationReason {
    /** All phases are complete. */
    STOP("stop", null, Category.SUCCESS, ResumeNeed.NEVER, "all phases are complete"),
    /** All phases are complete and an agent handed in a deliverable. */
    SUBMITTED("submitted", null, Category.SUCCESS, ResumeNeed.NEVER, "all phases are complete and work was submitted"),
    /** A loop's last iteration did not succeed. */
    CONVERGENCE_LIMIT(
            "error_max_turns",
            "convergence-limit",
            Category.CAPACITY,
            ResumeNeed.ITERATIONS_OR_FEEDBACK,
            "iteration limit reached"),
    /** A cap on cost, tokens or turns was reached. */
    BUDGET_EXCEEDED("error_max_budget_usd", "budget-exceeded", Category.CAPACITY, ResumeNeed.BUDGET, "budget used up"),
    /** An item used up its attempts. */
    MAX_RETRIES(
            "error_max_retries",
            "max-retries-exhausted",
            Category.CAPACITY,
            ResumeNeed.ATTEMPTS_OR_RESET_ITEMS,
            "attempts used up"),
    /** A rate or the circuit breaker was exceeded. */
    STOP_CONDITION(
            "error_stop_condition",
            "stop-condition",
            Category.CAPACITY,
            ResumeNeed.THRESHOLD_OR_RESET_STATISTICS,
            "stop condition met"),
    /** Too many failures in a row. */
    CONSECUTIVE_MISTAKES(
            "error_consecutive_mistakes",
            "consecutive-mistakes",
            Category.CAPACITY,
            ResumeNeed.NONE,
            "too many failures in a row"),
    /** The last iterations produced the same result. */
    NO_PROGRESS("error_no_progress", "no-progress", Category.CAPACITY, ResumeNeed.FEEDBACK, "no progress"),
    /** The agent could not produce output that matches its schema. */
    STRUCTURED_OUTPUT(
            "error_max_structured_output_retries",
            "structured-output-exhausted",
            Category.CAPACITY,
            ResumeNeed.FEEDBACK_OR_MANIFEST,
            "output does not match its schema"),
    /** The prompt does not fit the model. */
    PROMPT_TOO_LONG(
            "error_prompt_too_long",
            "prompt-too-long",
            Category.CAPACITY,
            ResumeNeed.FEEDBACK_OR_MANIFEST,
            "prompt too long for the model"),
    /** The model spent its output on thinking. */
    THINKING_STARVED(
            "error_thinking_starved",
            "thinking-starved",
            Category.CAPACITY,
            ResumeNeed.MANIFEST,
            "model used up its output on thinking"),
    /** The agent failed in its work. */
    EXECUTION_ERROR("error_during_execution", "execution-error", Category.RETRYABLE, ResumeNeed.NONE, "failed"),
    /** The agent's output has no final record. */
    SCHEMA_VALIDATION(
            "error_schema_validation",
            "schema-validation",
            Category.RETRYABLE,
            ResumeNeed.NONE,
            "result missing or invalid"),
    /** Loopkeeper received a termination signal. */
    INTERRUPTED("error_interrupted", "signal-interrupted", Category.RETRYABLE, ResumeNeed.NONE, "interrupted"),
    /** A person stopped it; never resumed automatically. */
    OPERATOR_STOP(
            "error_operator_stop", "operator-stop", Category.RETRYABLE, ResumeNeed.NONE, "stopped by an operator"),
    /** The remaining items depend on items that did not end approved. */
    DEPENDENCY_BLOCKED(
            "error_dependency_blocked",
            "dependency-blocked",
            Category.RETRYABLE,
            ResumeNeed.RESET_BLOCKING_ITEMS,
            "blocked by failed items"),
    /** The provider stayed unavailable. */
    PROVIDER_UNAVAILABLE(
            "error_provider_unavailable",
            "provider-unavailable",
            Category.RETRYABLE,
            ResumeNeed.NONE,
            "provider unavailable"),
    /** The agent's process died. */
    CRASHED("error_crashed", "crashed", Category.RETRYABLE, ResumeNeed.NONE, "process died"),
    /** A gate failed, again after its retries; a resume evaluates it again, or waives it by name. */
    GATE_FAILED("error_gate_failed", "gate-hard-fail", Category.FATAL, ResumeNeed.NONE, "gate failed"),
    /** A critical phase failed; a resume reruns it. */
    CRITICAL_PHASE(
            "error_critical_phase", "critical-phase-failure", Category.FATAL, ResumeNeed.NONE, "critical phase failed"),
    /** An agent, its hook or policy, or a person stopped it. */
    HALTED("error_halted", "halted", Category.FATAL, ResumeNeed.ACKNOWLEDGE, "halted until its cause is fixed"),
    /** The agent could not shorten its own context. */
    COMPACTION_FAILED(
            "error_compaction_failed",
            "compaction-failed",
            Category.FATAL,
            ResumeNeed.ACKNOWLEDGE,
            "context could not be shortened"),
    /** The provider refuses the credentials, the plan or the payment. */
    PROVIDER_AUTH(
            "error_provider_auth",
            "provider-auth",
            Category.FATAL,
            ResumeNeed.ACKNOWLEDGE,
            "provider refuses the credentials"),
    /** The runtime or its machine failed, e.g. the disk is full or the event store is unavailable. */
    INFRASTRUCTURE(
            "error_infrastructure",
            "infrastructure",
            Category.FATAL,
            ResumeNeed.ACKNOWLEDGE,
            "the runtime or its machine failed");

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
