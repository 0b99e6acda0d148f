package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.run.git.KeptWorktree;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.step.OwnRetry;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code notice}: information about a run, without effect on it.
 *
 * @param code stable, e.g. {@code recovered}
 * @param message one sentence
 * @param steps open steps concerned; absent: none
 * @param once key of a notice that a run records only once, e.g. {@code budget-unreported:tokens:dev}
 * @param retrying the agent that retries a request itself, with the code {@code agent-retrying}
 * @param cleared the worktree of a completed run or an ended attempt, with the code {@code worktree-cleared} or {@code
 * worktree-kept}
 * @param unattendedMs how long before this event no runtime ran; absent if a runtime ran or a step was open
 */
@JsonTypeName("notice")
@RecordBuilder
public record Notice(
        String code,
        String message,
        List<String> steps,
        Optional<String> once,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<AgentRetrying> retrying,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Cleared> cleared,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> unattendedMs)
        implements RunEvent, NoticeBuilder.With {
    /** An agent that retries a request itself, with its last report. */
    public record AgentRetrying(
            String stepId, String agent, @JsonUnwrapped OwnRetry retry) {}

    /**
     * A worktree that is no longer needed; its commits stay reachable below {@code refs/loopkeeper/<runId>/}.
     *
     * @param worktree its name, e.g. {@code frames.f1.2-57}
     * @param kept where and why it stays; absent when it was removed
     */
    public record Cleared(
            String worktree,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<KeptWorktree> kept) {}

    /** A notice that a run records only once. */
    public static Notice once(String code, String about, String message) {
        return of(code, message).withOnce(Optional.of(about));
    }

    public static Notice of(String code, String message) {
        return of(code, message, List.of());
    }

    public static Notice of(String code, String message, List<String> steps) {
        return new Notice(code, message, steps, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Reports that a runtime took over a run without an open step after this time without one. */
    public static Notice recovered(long unattendedMs) {
        return of("recovered", "taken over after a restart; no step was open")
                .withUnattendedMs(Optional.of(unattendedMs));
    }

    public static Notice retrying(OpenStep step, OwnRetry retry) {
        AgentRetrying agent = new AgentRetrying(step.stepId(), step.agent(), retry);
        return of("agent-retrying", step.agent() + " retries its request, " + retry.text())
                .withRetrying(Optional.of(agent));
    }

    /** Reports that a worktree is removed, or where and why it stays. */
    public static Notice cleared(String worktree, Optional<KeptWorktree> kept) {
        String message = kept.map(KeptWorktree::text).orElse("the worktree " + worktree + " is removed");
        return of(kept.isPresent() ? "worktree-kept" : "worktree-cleared", message)
                .withCleared(Optional.of(new Cleared(worktree, kept)));
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        if (once.isPresent()) {
            return state.withLedger(state.ledger().withSaid(once.get()));
        }
        if (retrying.isPresent()) {
            return state.changingStep(retrying.get().stepId(), step -> step.retriesAt(at));
        }
        if (cleared.isPresent()) {
            return state.changingGit(
                    git -> git.cleared(cleared.get().worktree(), cleared.get().kept()));
        }
        if (unattendedMs.isPresent()) {
            return state.unattended(unattendedMs.get(), at);
        }
        RunState taken = state;
        for (String stepId : steps) {
            taken = taken.changingStep(stepId, step -> step.withTakenOver(true));
        }
        return taken;
    }

    @Override
    public String text() {
        return message;
    }
}
