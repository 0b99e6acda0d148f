package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.Termination;
import java.util.List;
import java.util.Optional;

/** Whether a run may go on, and what that takes. */
final class ResumeRules {
    static final String OPERATOR = "operator";

    private ResumeRules() {}

    static Decision decide(Draft draft, ResumeRequest request) {
        Condition condition = draft.state().condition();
        if (condition instanceof Condition.Queued queued
                && queued.rest().isPresent()
                && !request.equals(ResumeRequest.PLAIN)) {
            return from(draft, queued.rest().get(), request);
        }
        return from(draft, condition, request);
    }

    private static Decision from(Draft draft, Condition condition, ResumeRequest request) {
        if (condition instanceof Condition.Paused paused) {
            return fromPause(draft, paused.pause(), request);
        }
        if (condition instanceof Condition.Ended ended) {
            return fromEnding(draft, ended.termination(), request);
        }
        boolean plain = request.action()
                .filter(action -> action != ResumeAction.CONTINUE)
                .isEmpty();
        if (condition instanceof Condition.Queued queued && plain) {
            return request.dryRun()
                    ? preview(draft, List.of(), "the run starts")
                    : QueueRules.resume(draft, queued, request);
        }
        if (condition instanceof Condition.Waiting && plain) {
            return fromPause(draft, pauseOf(draft, "the retry is made at once"), request);
        }
        String message = "the run is " + draft.state().status().wire() + ", there is nothing to resume";
        return refuse(draft, "not-resumable", message, List.of(), List.of());
    }

    /** For a run that stands in no pause and is treated as if it did. */
    static Pause pauseOf(Draft draft, String message) {
        return Pause.of(PauseReason.OPERATOR, message, draft.at())
                .offering(draft.state().plan().manifest());
    }

    /** What to do in a pause: what is asked for, else the first thing that may be done. */
    static ResumeAction action(Pause pause, ResumeRequest request) {
        List<ResumeAction> allowed = pause.allowedActions();
        return request.action()
                .orElseGet(() -> allowed.contains(ResumeAction.CONTINUE) ? ResumeAction.CONTINUE : allowed.get(0));
    }

    private static Decision fromPause(Draft draft, Pause pause, ResumeRequest request) {
        List<ResumeAction> allowed = pause.allowedActions();
        ResumeAction action = action(pause, request);
        if (!allowed.contains(action)) {
            String message = action.wire() + " is not allowed in a pause "
                    + pause.reason().wire();
            return refuse(draft, "action-not-allowed", message, allowed, List.of());
        }
        ResumeNeeds needs = new ResumeNeeds(draft.state(), request);
        List<String> missing = action == ResumeAction.STOP_LOOP_NOW ? needs.unusable() : needs.missingInPause();
        if (request.dryRun()) {
            return preview(draft, missing, "after " + pause.reason().wire() + ": " + action.wire());
        }
        if (!missing.isEmpty() && !request.force()) {
            return refuse(draft, "resume-precondition", String.join("; ", missing), List.of(), missing);
        }
        if (action != ResumeAction.STOP_LOOP_NOW && !draft.hasPlace()) {
            return withoutRoom(draft, action, request);
        }
        Resumption.afterPause(draft, pause, action, request, missing, OPERATOR);
        Advance.run(draft);
        return draft.done();
    }

    private static Decision fromEnding(Draft draft, Termination termination, ResumeRequest request) {
        if (termination.success()) {
            return refuse(draft, "not-resumable", "the run is completed", List.of(), List.of());
        }
        Optional<ResumeAction> other = request.action().filter(action -> action != ResumeAction.CONTINUE);
        if (other.isPresent()) {
            String message = other.get().wire() + " is for a paused run; this one has ended";
            return refuse(draft, "action-not-allowed", message, List.of(ResumeAction.CONTINUE), List.of());
        }
        List<String> missing = new ResumeNeeds(draft.state(), request).missing(termination);
        if (request.dryRun()) {
            return preview(draft, missing, "after " + termination.reasonCode().orElse(termination.subtype()));
        }
        if (!missing.isEmpty() && !request.force()) {
            String message = "the run ended " + termination.reasonCode().orElse(termination.subtype())
                    + "; a resume needs " + String.join(", or ", missing);
            return refuse(draft, "resume-precondition", message, List.of(), missing);
        }
        if (!draft.hasPlace()) {
            return withoutRoom(draft, ResumeAction.CONTINUE, request);
        }
        Resumption.afterEnding(draft, request, missing);
        Advance.run(draft);
        return draft.done();
    }

    /** Waits for a place; what waits already goes on waiting, also for a signal file. */
    private static Decision withoutRoom(Draft draft, ResumeAction action, ResumeRequest request) {
        Optional<SignalInUse> conflict = draft.conflict();
        return conflict.isPresent() && !draft.is(Condition.Queued.class)
                ? Decision.refused(draft.state(), Refusal.of(conflict.get()))
                : QueueRules.keep(draft, action, request, OPERATOR);
    }

    private static Decision preview(Draft draft, List<String> missing, String why) {
        return Decision.preview(draft.state(), ResumePreviews.of(draft.state(), missing, why));
    }

    private static Decision refuse(
            Draft draft, String code, String message, List<ResumeAction> allowed, List<String> missing) {
        return Decision.refused(draft.state(), Refusal.of(code, message, allowed, missing));
    }
}
