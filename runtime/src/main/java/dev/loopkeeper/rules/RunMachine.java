package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.OpenStep;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Spending;
import dev.loopkeeper.run.StepSignal;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StandardReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides. What an input means for a run is told as events to make durable and commands to carry out after that; the
 * state changes by those events only. No clock, no randomness: the same state and input give the same decision.
 */
public final class RunMachine {
    /** An agent that tries again by itself is told of again after this, then after twice as long and so on. */
    private static final Duration TELL_AGAIN_AFTER = Duration.ofSeconds(30);

    private RunMachine() {}

    /** The decision that creates a run; its only event is {@link RunCreated}. */
    public static Decision create(RunCreated created, Instant at) {
        RunState state = created.begin(at);
        return new Decision(state, List.of(created), List.of(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What this input means for this run where nothing keeps it from being under way. */
    public static Decision decide(RunState state, RunInput input) {
        return decide(state, input, Room.FREE);
    }

    /**
     * What this input means for this run. An ended run answers everything but a resume with a late note.
     *
     * @param room whether a run that is not under way may become so; else it waits as {@code queued}, or is refused
     */
    public static Decision decide(RunState state, RunInput input, Room room) {
        Draft draft = new Draft(state, input.at(), room);
        if (input instanceof RunInput.Resume resume) {
            return ResumeRules.decide(draft, resume.request());
        }
        if (state.condition() instanceof Condition.Ended) {
            return afterTheEnd(state, input);
        }
        if (input instanceof RunInput.StepEnded ended) {
            return StepEnding.decide(draft, ended);
        } else if (input instanceof RunInput.Swept swept) {
            return swept(draft, swept);
        } else if (input instanceof RunInput.UsageSeen usage) {
            return usageSeen(draft, usage);
        } else if (input instanceof RunInput.AgentRetries retries) {
            return agentRetries(draft, retries);
        } else if (input instanceof RunInput.SignalSeen seen) {
            return signalSeen(draft, seen);
        } else if (input instanceof RunInput.Stop stop) {
            return stop(draft, stop);
        } else if (input instanceof RunInput.Pause pause) {
            return pause(draft, pause);
        } else if (input instanceof RunInput.Broken broken) {
            return broken(draft, broken);
        } else if (input instanceof RunInput.Remark remark) {
            draft.emit(Notice.of(remark.code(), remark.message()));
            return draft.done();
        } else if (input instanceof RunInput.Start) {
            return QueueRules.start(draft);
        } else if (input instanceof RunInput.TimerDue) {
            return timerDue(draft);
        }
        return recover(draft);
    }

    /** Whether this input may make a run go that is not under way, so that it matters whether there is room for it. */
    public static boolean asksForRoom(RunState state, RunInput input) {
        boolean begins = input instanceof RunInput.Start
                || input instanceof RunInput.Resume
                || input instanceof RunInput.TimerDue;
        return begins && !Places.holds(state.condition());
    }

    /** The state after this event. */
    public static RunState apply(RunState state, RunEvent event, Instant at) {
        return event.apply(state.next(), at);
    }

    private static Decision afterTheEnd(RunState state, RunInput input) {
        if (input instanceof RunInput.Stop) {
            return Decision.refused(state, new Refusal("not-stoppable", "the run has ended"));
        }
        return input instanceof RunInput.Pause
                ? Decision.refused(state, new Refusal("not-pausable", "the run has ended"))
                : Decision.late(state, name(input) + " after the end");
    }

    private static String name(RunInput input) {
        return input instanceof RunInput.Remark remark
                ? remark.message()
                : input.getClass().getSimpleName();
    }

    private static Decision swept(Draft draft, RunInput.Swept input) {
        if (draft.state().condition() instanceof Condition.Stopping stopping && stopping.sweeping()) {
            input.steps().forEach(draft::emit);
            Advance.swept(draft, stopping);
            return draft.done();
        }
        return Decision.late(draft.state(), "a sweep of survivors, which nobody waits for");
    }

    private static Decision usageSeen(Draft draft, RunInput.UsageSeen input) {
        OpenStep step = draft.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(draft.state(), "usage of " + input.stepId() + ", which is not open");
        }
        Usage known = Spending.most(step.usage(), input.usage());
        if (step.usage().equals(known)) {
            return draft.done();
        }
        draft.emit(new StepUsage(input.stepId(), known));
        BudgetRules.warn(draft);
        BudgetRules.warnOfUntoldCost(draft, step.withUsage(known));
        boolean ending = draft.state().condition() instanceof Condition.Stopping stopping && !stopping.graceful();
        Optional<Ruling> exceeded = ending ? Optional.empty() : BudgetRules.exceeded(draft.state());
        exceeded.map(Ruling.End.class::cast).ifPresent(end -> draft.end(end.cause(), end.mode()));
        return draft.done();
    }

    /** Told at once, then whenever the time that it takes has doubled. */
    private static Decision agentRetries(Draft draft, RunInput.AgentRetries input) {
        OpenStep step = draft.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(draft.state(), "a try of " + input.stepId() + " by itself, which is not open");
        }
        Optional<OpenStep.Retrying> known = step.retrying();
        if (known.isEmpty() || !draft.at().isBefore(tellAgainAt(known.get()))) {
            draft.emit(Notice.retrying(step, input.retry()));
        }
        return draft.done();
    }

    private static Instant tellAgainAt(OpenStep.Retrying known) {
        Duration doubled = Duration.between(known.since(), known.toldAt()).multipliedBy(2);
        return known.since().plus(doubled.compareTo(TELL_AGAIN_AFTER) < 0 ? TELL_AGAIN_AFTER : doubled);
    }

    private static Decision signalSeen(Draft draft, RunInput.SignalSeen input) {
        OpenStep step = draft.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(draft.state(), "a signal of " + input.stepId() + ", which is not open");
        }
        if (!step.signalSeen().filter(input.signal().raw()::equals).isPresent()) {
            draft.emit(new StepSignal(input.stepId(), input.signal().raw()));
        }
        return draft.done();
    }

    private static Decision stop(Draft draft, RunInput.Stop input) {
        boolean second = draft.state().condition() instanceof Condition.Stopping stopping && !stopping.graceful();
        StandardReason reason = switch (input.cause()) {
            case SIGNAL, NODE_LOST -> StandardReason.INTERRUPTED;
            default -> StandardReason.OPERATOR_STOP;
        };
        String summary = input.reason()
                .orElse(
                        reason == StandardReason.INTERRUPTED
                                ? "the runtime was told to end"
                                : "stopped by an operator");
        draft.end(
                EndCause.of(reason, summary).askedBy(input.cause()),
                input.now() || second ? StopMode.KILL : StopMode.TERMINATE);
        return draft.done();
    }

    private static Decision pause(Draft draft, RunInput.Pause input) {
        if (draft.is(Condition.Stopping.class)
                || draft.is(Condition.Paused.class)
                || draft.is(Condition.Queued.class)) {
            String status = draft.state().status().wire();
            return Decision.refused(draft.state(), new Refusal("not-pausable", "the run is " + status));
        }
        if (draft.state().pauses().isEmpty()) {
            String message = input.reason().orElse("paused by an operator");
            draft.pause(Pause.of(PauseReason.OPERATOR, message, draft.at()));
        }
        return draft.done();
    }

    private static Decision broken(Draft draft, RunInput.Broken input) {
        draft.end(EndCause.of(StandardReason.INFRASTRUCTURE, input.message()), StopMode.TERMINATE);
        return draft.done();
    }

    private static Decision timerDue(Draft draft) {
        if (draft.state().condition() instanceof Condition.Paused paused
                && paused.pause()
                        .resumeAt()
                        .filter(due -> !due.isAfter(draft.at()))
                        .isPresent()) {
            if (!draft.hasPlace()) {
                return QueueRules.keep(draft, ResumeAction.CONTINUE, ResumeRequest.PLAIN, RunResumed.TIMER);
            }
            Optional<EndCause> breaker = IterationRules.circuitBreaker(draft.state());
            if (breaker.isPresent()) {
                draft.end(breaker.get(), StopMode.DRAIN);
                return draft.done();
            }
            Resumption.afterPause(
                    draft, paused.pause(), ResumeAction.CONTINUE, ResumeRequest.PLAIN, List.of(), RunResumed.TIMER);
        }
        Advance.run(draft);
        return draft.done();
    }

    /**
     * Everything that an earlier runtime may have left undone, once more; each command is safe to repeat. The notice
     * names a step once, so that starting again with nothing changed records nothing.
     */
    private static Decision recover(Draft draft) {
        RunState state = draft.state();
        state.steps().values().forEach(step -> draft.command(new RunCommand.Launch(StepSpecs.of(state, step), true)));
        if (state.condition() instanceof Condition.Stopping stopping && !stopping.graceful()) {
            state.steps().keySet().forEach(stepId -> draft.command(new RunCommand.StopStep(stepId, stopping.now())));
        }
        if (state.condition() instanceof Condition.Stopping stopping && stopping.sweeping()) {
            draft.sweep();
        }
        List<String> taken = state.steps().values().stream()
                .filter(step -> !step.takenOver())
                .map(OpenStep::stepId)
                .toList();
        if (!taken.isEmpty()) {
            String message = "taken over after a restart with open steps: " + String.join(", ", taken);
            draft.emit(Notice.of("recovered", message, taken));
        }
        if (state.condition() instanceof Condition.Paused paused) {
            paused.pause().resumeAt().ifPresent(due -> draft.command(new RunCommand.WakeAt(due)));
        } else if (!draft.is(Condition.Queued.class)) {
            Advance.run(draft);
        }
        return draft.done();
    }
}
