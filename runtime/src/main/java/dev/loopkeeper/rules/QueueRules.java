package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunStarted;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.RunWaiting;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;

/** Decides about a run that waits for a slot, or for a permit to launch. */
final class QueueRules {
    private QueueRules() {}

    /** Starts or resumes the run if a slot is free. */
    static Decision start(DecisionBuilder builder) {
        if (builder.state().condition() instanceof Condition.Queued queued) {
            if (builder.hasSlot()) {
                begin(builder, queued);
            } else if (queued.pendingResume().isEmpty()) {
                builder.emit(RunQueued.toStart(builder.state().createdAt()));
            }
        }
        return builder.done();
    }

    /** The time of this run has come. */
    static Decision due(DecisionBuilder builder, Condition.Queued queued) {
        Condition.PendingResume pending = queued.pendingResume().orElseThrow();
        ResumeRequest request = pending.request().with(copy -> copy.at(Optional.empty()));
        if (!builder.hasSlot()) {
            return keep(builder, ResumeAction.CONTINUE, request, pending.by());
        }
        begin(builder, asking(builder, queued, request));
        return builder.done();
    }

    /** The time of this paused run has come. */
    static Decision due(DecisionBuilder builder, Condition.Paused paused, Condition.PendingResume later) {
        ResumeRequest request = later.request().with(copy -> copy.at(Optional.empty()));
        ResumeAction action = ResumeRules.action(paused.pause(), request);
        if (action != ResumeAction.STOP_LOOP_NOW && !builder.hasSlot()) {
            return keep(builder, action, request, later.by());
        }
        afterPause(
                builder,
                paused.pause(),
                new Condition.PendingResume(Optional.empty(), request, later.by(), later.since()));
        PhaseDriver.run(builder);
        return builder.done();
    }

    /** Launches what waited, if the run still requires it. */
    static Decision permitted(DecisionBuilder builder, RunInput.Permitted permitted) {
        builder.permit(permitted.slots());
        if (RunSlots.holds(builder.state().condition())) {
            PhaseDriver.run(builder);
        }
        return builder.done();
    }

    /** A run with an open step does not wait: the launch is tried again when the step ends. */
    static Decision held(DecisionBuilder builder, LaunchHold hold) {
        RunState state = builder.state();
        Condition waiting = new Condition.Waiting(hold.resumeAt(), Optional.of(hold));
        boolean rests = state.condition().proceeds()
                && state.steps().isEmpty()
                && state.pauses().isEmpty();
        if (rests && !state.condition().equals(waiting)) {
            builder.emit(RunWaiting.forOthers(hold, state.active().until(builder.at())));
        }
        return builder.done();
    }

    /** Keeps the request until a slot is free, or until its time. */
    static Decision keep(DecisionBuilder builder, ResumeAction action, ResumeRequest request, String by) {
        builder.emit(RunQueued.toResume(action, request, builder.named(by)));
        request.at().ifPresent(time -> builder.command(new RunCommand.WakeAt(time)));
        return builder.done();
    }

    /** A resume of a queued run: a plain one changes nothing, any other replaces the pending request. */
    static Decision resume(DecisionBuilder builder, Condition.Queued queued, ResumeRequest request) {
        boolean plain = request.equals(ResumeRequest.PLAIN);
        boolean known = queued.start() || queued.pendingResume().isPresent();
        if (request.at().isPresent()) {
            return keep(builder, ResumeAction.CONTINUE, request, ResumeRules.OPERATOR);
        } else if (plain && queued.later().isPresent()) {
            return due(builder, queued);
        } else if (builder.hasSlot()) {
            begin(builder, plain ? queued : asking(builder, queued, request));
        } else if (!known && builder.conflict().isPresent()) {
            return Decision.refused(
                    builder.state(), Refusal.of(builder.conflict().get()));
        } else if (!known || !plain) {
            builder.emit(RunQueued.toResume(ResumeAction.CONTINUE, request, builder.named(ResumeRules.OPERATOR)));
        }
        return builder.done();
    }

    private static Condition.Queued asking(DecisionBuilder builder, Condition.Queued queued, ResumeRequest request) {
        Optional<Condition> rest = queued.rest();
        return new Condition.Queued(
                true,
                Optional.of(
                        new Condition.PendingResume(rest, request, builder.named(ResumeRules.OPERATOR), builder.at())));
    }

    /** The request was checked when it arrived; a queued run does not change. */
    private static void begin(DecisionBuilder builder, Condition.Queued queued) {
        ResumeRequest request =
                queued.pendingResume().map(Condition.PendingResume::request).orElse(ResumeRequest.PLAIN);
        Optional<String> person =
                queued.pendingResume().map(Condition.PendingResume::by).filter(by -> !by.equals(RunResumed.TIMER));
        person.ifPresent(builder::requestedBy);
        Optional<Condition> rest = queued.rest();
        if (rest.isPresent() && rest.get() instanceof Condition.Paused paused) {
            afterPause(builder, paused.pause(), queued.pendingResume().orElseThrow());
        } else if (rest.isPresent() && rest.get() instanceof Condition.Ended ended) {
            ResumeNeeds needs = new ResumeNeeds(builder.state(), request);
            Resumption.afterEnding(builder, request, needs.missing(needs.afterEnding(ended.termination())));
        } else {
            builder.emit(new RunStarted());
            if (!request.equals(ResumeRequest.PLAIN)) {
                Pause none = ResumeRules.pauseOf(builder, "queued");
                Resumption.afterPause(builder, none, ResumeAction.CONTINUE, request, List.of(), ResumeRules.OPERATOR);
            }
        }
        PhaseDriver.run(builder);
    }

    private static void afterPause(DecisionBuilder builder, Pause pause, Condition.PendingResume pendingResume) {
        ResumeRequest request = pendingResume.request();
        ResumeNeeds needs = new ResumeNeeds(builder.state(), request);
        List<String> missing = needs.missing(needs.inPause());
        Resumption.afterPause(
                builder, pause, ResumeRules.action(pause, request), request, missing, person(pendingResume));
    }

    /** The rules distinguish an operator from the timer; events name the operator. */
    private static String person(Condition.PendingResume pendingResume) {
        return pendingResume.by().equals(RunResumed.TIMER) ? RunResumed.TIMER : ResumeRules.OPERATOR;
    }
}
