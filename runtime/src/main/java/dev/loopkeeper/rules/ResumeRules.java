package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.rules.ResumeNeeds.Need;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.Termination;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides whether and how a run may be resumed. */
final class ResumeRules {
    static final String OPERATOR = "operator";

    private ResumeRules() {}

    static Decision decide(DecisionBuilder builder, RunInput.Resume resume) {
        ResumeRequest asked = resume.request().due(builder.at());
        Condition condition = builder.state().condition();
        if (resume.pausedAt().isPresent() && !resume.pausedAt().equals(pausedAt(condition))) {
            return refuse(builder, RefusalCode.NOT_RESUMABLE, "the run has left this pause");
        }
        boolean stops = asked.action().equals(Optional.of(ResumeAction.STOP_LOOP_NOW));
        if (resume.workspaceGone() && mayBeResumed(condition) && !asked.force() && !stops) {
            String missing = "the workspace " + builder.state().plan().workspace() + ", which is no longer a folder";
            String message = ResumeNeeds.REQUIRES + missing + "; create it";
            return refuse(builder, RefusalCode.RESUME_PRECONDITION, message, List.of(), List.of(missing));
        }
        if (asked.changedManifest().isEmpty() || !mayBeResumed(condition)) {
            return decide(builder, condition, asked);
        }
        ChangedManifest changed = asked.changedManifest().get();
        List<ManifestProblem> problems = ManifestFit.problems(builder.state(), changed);
        if (!problems.isEmpty()) {
            return Decision.refused(builder.state(), ManifestFit.refusal(problems));
        }
        List<String> changes = ManifestChanges.between(builder.state(), changed);
        return decide(builder, condition, asked.changedManifest(changed.withChanges(changes)));
    }

    private static Optional<Instant> pausedAt(Condition condition) {
        return condition instanceof Condition.Paused paused
                ? Optional.of(paused.pause().since())
                : Optional.empty();
    }

    private static boolean mayBeResumed(Condition condition) {
        return condition instanceof Condition.Paused
                || condition instanceof Condition.Queued
                || condition instanceof Condition.Waiting
                || (condition instanceof Condition.Ended ended
                        && !ended.termination().success());
    }

    private static Decision decide(DecisionBuilder builder, Condition condition, ResumeRequest request) {
        if (condition instanceof Condition.Queued queued
                && queued.rest().isPresent()
                && !request.equals(ResumeRequest.PLAIN)) {
            return from(builder, queued.rest().get(), request);
        }
        return from(builder, condition, request);
    }

    private static Decision from(DecisionBuilder builder, Condition condition, ResumeRequest request) {
        if (condition instanceof Condition.Paused paused) {
            Pause pause = paused.pause();
            return fromPause(builder, pause, request, "after " + pause.reason().text(pause.detail()));
        }
        if (condition instanceof Condition.Ended ended) {
            return fromEnding(builder, ended.termination(), request);
        }
        boolean plain = request.action()
                .filter(action -> action != ResumeAction.CONTINUE)
                .isEmpty();
        if (condition instanceof Condition.Queued queued && plain) {
            return request.dryRun()
                    ? preview(builder, request, ResumeAction.CONTINUE, List.of(), "the run starts")
                    : QueueRules.resume(builder, queued, request);
        }
        if (condition instanceof Condition.Waiting waiting
                && plain
                && request.at().isEmpty()) {
            String why = waiting.hold().isPresent() ? "the launch is requested again" : "the retry is made at once";
            return fromPause(builder, pauseOf(builder, why), request, why);
        }
        if (!plain && (condition instanceof Condition.Queued || condition instanceof Condition.Waiting)) {
            String message = request.action().orElseThrow().wire() + " is for a paused run; this one is "
                    + builder.state().status().wire() + "; only continue is allowed";
            return refuse(builder, RefusalCode.ACTION_NOT_ALLOWED, message, List.of(ResumeAction.CONTINUE), List.of());
        }
        String message = "run " + builder.state().runId() + " is "
                + builder.state().status().wire() + ", so there is nothing to resume";
        return refuse(builder, RefusalCode.NOT_RESUMABLE, message);
    }

    /** Treats a run without a pause as if it were paused. */
    static Pause pauseOf(DecisionBuilder builder, String message) {
        return Pause.of(PauseReason.OPERATOR, message, builder.at())
                .offering(builder.state().manifest());
    }

    /** The requested action, else the first allowed one. */
    static ResumeAction action(Pause pause, ResumeRequest request) {
        return request.action().orElseGet(() -> pause.allowedActions().get(0));
    }

    /** @param why for a preview: what the resume follows or does, before its action */
    private static Decision fromPause(DecisionBuilder builder, Pause pause, ResumeRequest request, String why) {
        List<ResumeAction> allowed = pause.allowedActions();
        ResumeAction action = action(pause, request);
        if (!allowed.contains(action)) {
            String message = "the action " + action.wire() + " is not allowed while the run is paused for: "
                    + pause.reason().words();
            return refuse(builder, RefusalCode.ACTION_NOT_ALLOWED, message, allowed, List.of());
        }
        ResumeNeeds needs = new ResumeNeeds(builder.state(), request);
        List<List<Need>> required = action == ResumeAction.STOP_LOOP_NOW ? List.of() : needs.inPause();
        List<String> missing = needs.missing(required);
        String preview = why + ": " + action.wire();
        return obstacle(builder, request, action, missing, preview, needs.sentence(required))
                .orElseGet(() -> {
                    Resumption.afterPause(builder, pause, action, request, missing, OPERATOR);
                    PhaseDriver.run(builder);
                    return builder.done();
                });
    }

    private static Decision fromEnding(DecisionBuilder builder, Termination termination, ResumeRequest request) {
        if (termination.success()) {
            String message = "run " + builder.state().runId()
                    + " is completed, so there is nothing to resume; submit its manifest as a new run";
            return refuse(builder, RefusalCode.NOT_RESUMABLE, message);
        }
        Optional<ResumeAction> other = request.action().filter(action -> action != ResumeAction.CONTINUE);
        if (other.isPresent()) {
            String message = other.get().wire() + " is for a paused run; this one has ended";
            return refuse(builder, RefusalCode.ACTION_NOT_ALLOWED, message, List.of(ResumeAction.CONTINUE), List.of());
        }
        ResumeNeeds needs = new ResumeNeeds(builder.state(), request);
        List<List<Need>> required = needs.afterEnding(termination);
        List<String> missing = needs.missing(required);
        String why = "the run ended, " + termination.reason();
        return obstacle(builder, request, ResumeAction.CONTINUE, missing, why, why + "; " + needs.sentence(required))
                .orElseGet(() -> {
                    Resumption.afterEnding(builder, request, missing);
                    PhaseDriver.run(builder);
                    return builder.done();
                });
    }

    /** Why the run does not resume now: it is only asked, something is missing, its time has not come, or no slot is free. */
    private static Optional<Decision> obstacle(
            DecisionBuilder builder,
            ResumeRequest request,
            ResumeAction action,
            List<String> missing,
            String why,
            String required) {
        if (request.dryRun()) {
            return Optional.of(preview(builder, request, action, missing, why));
        }
        if (!missing.isEmpty() && !request.force()) {
            return Optional.of(refuse(builder, RefusalCode.RESUME_PRECONDITION, required, List.of(), missing));
        }
        if (request.at().isPresent()) {
            return Optional.of(QueueRules.keep(builder, action, request, OPERATOR));
        }
        return action != ResumeAction.STOP_LOOP_NOW && !builder.hasSlot()
                ? Optional.of(withoutCapacity(builder, action, request))
                : Optional.empty();
    }

    /** Waits for a slot; a run that already waits keeps waiting, also for a signal file. */
    private static Decision withoutCapacity(DecisionBuilder builder, ResumeAction action, ResumeRequest request) {
        Optional<SignalInUse> conflict = builder.conflict();
        return conflict.isPresent() && !builder.is(Condition.Queued.class)
                ? Decision.refused(builder.state(), Refusal.of(conflict.get()))
                : QueueRules.keep(builder, action, request, OPERATOR);
    }

    private static Decision preview(
            DecisionBuilder builder, ResumeRequest request, ResumeAction action, List<String> missing, String why) {
        return Decision.preview(builder.state(), ResumePreviews.of(builder, request, action, missing, why));
    }

    private static Decision refuse(DecisionBuilder builder, RefusalCode code, String message) {
        return Decision.refused(builder.state(), new Refusal(code, message));
    }

    private static Decision refuse(
            DecisionBuilder builder,
            RefusalCode code,
            String message,
            List<ResumeAction> allowed,
            List<String> missing) {
        return Decision.refused(builder.state(), Refusal.of(code, message, allowed, missing));
    }
}
