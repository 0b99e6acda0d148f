package dev.loopkeeper.rules;

import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunPausing;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.StepUsage;
import dev.loopkeeper.run.step.OpenStep;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.statistics.Spending;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Decides the inputs of a run: which events to make durable and which commands to execute after that. Only events
 * change the state. Without clock and randomness, the same state and input give the same decision.
 */
public final class RunMachine {
    /** The delay before the second notice about an agent's own retries; it doubles with each notice. */
    private static final Duration NOTICE_INTERVAL = Duration.ofSeconds(30);

    /** Inputs that are decided after the end too. */
    private static final Set<Class<?>> ALWAYS =
            Set.of(RunInput.Resume.class, RunInput.Answer.class, RunInput.Ask.class);

    /** One rule for each kind of input. */
    private static final Map<Class<?>, BiFunction<DecisionBuilder, RunInput, Decision>> RULES = Map.ofEntries(
            on(RunInput.Resume.class, ResumeRules::decide),
            on(RunInput.Answer.class, AskRules::answer),
            on(RunInput.Ask.class, AskRules::ask),
            on(RunInput.StepEnded.class, StepEnding::decide),
            on(RunInput.Swept.class, RunMachine::swept),
            on(RunInput.GitDone.class, GitRules::decide),
            on(RunInput.ItemsRead.class, ItemsRules::decide),
            on(RunInput.UsageSeen.class, RunMachine::usageSeen),
            on(RunInput.AgentRetries.class, RunMachine::agentRetries),
            on(RunInput.SignalSeen.class, RunMachine::signalSeen),
            on(RunInput.Stop.class, (builder, stop) -> EndRules.stop(builder, stop, List.of())),
            on(RunInput.End.class, EndRules::decide),
            on(RunInput.Pause.class, RunMachine::pause),
            on(RunInput.Broken.class, EndRules::broken),
            on(RunInput.Remark.class, RunMachine::remark),
            on(RunInput.Start.class, (builder, start) -> QueueRules.start(builder)),
            on(RunInput.TimerDue.class, (builder, due) -> timerDue(builder)),
            on(RunInput.Permitted.class, QueueRules::permitted),
            on(RunInput.Held.class, (builder, held) -> QueueRules.held(builder, held.hold())),
            on(RunInput.Recover.class, (builder, taken) -> recover(builder, taken.moved())));

    private RunMachine() {}

    /** Creates a run; the only event is {@link RunCreated}. */
    public static Decision create(RunCreated created, Instant at) {
        return Decision.of(created.begin(at), List.of(created), List.of());
    }

    /** Creates a run that starts later: one append makes both durable. */
    public static Decision create(RunCreated created, Instant at, Instant startAt) {
        Decision made = create(created, at);
        DecisionBuilder builder = new DecisionBuilder(made.state(), at, Capacity.NONE);
        ResumeRequest later = ResumeRequest.PLAIN.with(copy -> copy.at(Optional.of(startAt)));
        return QueueRules.keep(builder, ResumeAction.CONTINUE, later, RunQueued.SUBMIT)
                .after(made);
    }

    /**
     * Creates a run and starts it if possible: one append makes both durable.
     *
     * @param capacity capacity for the new run
     * @param gates which launches require a permit
     */
    public static Decision create(RunCreated created, Instant at, Capacity capacity, LaunchGates gates) {
        Decision made = create(created, at);
        return created.start() && capacity.free()
                ? decide(made.state(), new RunInput.Start(at), at, capacity, gates)
                        .after(made)
                : made;
    }

    /** Decides an input with full capacity. */
    public static Decision decide(RunState state, RunInput input) {
        return decide(state, input, Capacity.FREE);
    }

    /**
     * Decides an input. An ended run ignores every input but a resume.
     *
     * @param capacity whether an inactive run may become active; otherwise it waits as {@code queued}, or is refused
     */
    public static Decision decide(RunState state, RunInput input, Capacity capacity) {
        return decide(state, input, input.at(), capacity, LaunchGates.OPEN);
    }

    /**
     * Decides an input that waited.
     *
     * @param at time of its events, not before the time of an input that was decided first
     * @param gates which launches require a permit
     */
    public static Decision decide(RunState state, RunInput input, Instant at, Capacity capacity, LaunchGates gates) {
        DecisionBuilder builder = new DecisionBuilder(state, at, capacity, gates, input.requester());
        boolean late = state.condition() instanceof Condition.Ended && !ALWAYS.contains(input.getClass());
        return late ? afterTheEnd(state, input) : RULES.get(input.getClass()).apply(builder, input);
    }

    private static <I extends RunInput> Map.Entry<Class<?>, BiFunction<DecisionBuilder, RunInput, Decision>> on(
            Class<I> kind, BiFunction<DecisionBuilder, I, Decision> rule) {
        return Map.entry(kind, (builder, input) -> rule.apply(builder, kind.cast(input)));
    }

    private static Decision remark(DecisionBuilder builder, RunInput.Remark remark) {
        if (remark.once().filter(builder.state().ledger().warned()::contains).isEmpty()) {
            builder.emit(Notice.of(remark.code(), remark.message()).withOnce(remark.once()));
        }
        return builder.done();
    }

    /** Whether this input may activate an inactive run, so that its capacity matters. */
    public static boolean requiresCapacity(RunState state, RunInput input) {
        boolean begins = input instanceof RunInput.Start
                || input instanceof RunInput.Resume
                || input instanceof RunInput.TimerDue;
        return begins && !RunSlots.holds(state.condition());
    }

    /** The state after this event. */
    public static RunState apply(RunState state, RunEvent event, Instant at) {
        return state.after(event, at);
    }

    private static Decision afterTheEnd(RunState state, RunInput input) {
        if (input instanceof RunInput.Stop) {
            return Decision.refused(state, new Refusal(RefusalCode.NOT_STOPPABLE, ended(state, "stop")));
        }
        if (input instanceof RunInput.End) {
            return Decision.refused(state, new Refusal(RefusalCode.NOT_ENDABLE, ended(state, "end")));
        }
        return input instanceof RunInput.Pause
                ? Decision.refused(state, new Refusal(RefusalCode.NOT_PAUSABLE, ended(state, "pause")))
                : Decision.late(state, name(input) + " after the end");
    }

    private static String ended(RunState state, String command) {
        return "run " + state.runId() + " has ended, so there is nothing to " + command;
    }

    private static String name(RunInput input) {
        return input instanceof RunInput.Remark remark
                ? remark.message()
                : input.getClass().getSimpleName();
    }

    private static Decision swept(DecisionBuilder builder, RunInput.Swept input) {
        if (builder.state().condition() instanceof Condition.Stopping stopping && stopping.sweeping()) {
            input.steps().forEach(builder::emit);
            PhaseDriver.swept(builder, stopping);
            return builder.done();
        }
        return Decision.late(builder.state(), "a sweep that the run does not wait for");
    }

    private static Decision usageSeen(DecisionBuilder builder, RunInput.UsageSeen input) {
        OpenStep step = builder.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(builder.state(), "usage of " + input.stepId() + ", which is not open");
        }
        Usage reported = step.session()
                .map(session -> SessionTotals.counted(session, Usage.UNKNOWN, input.usage()))
                .orElse(input.usage());
        Usage known = Spending.most(step.usage(), reported);
        if (step.usage().equals(known)) {
            return builder.done();
        }
        builder.emit(new StepUsage(input.stepId(), known));
        BudgetRules.warnOfUnreportedCost(builder, step.withUsage(known));
        enforceBudget(builder);
        return builder.done();
    }

    private static void enforceBudget(DecisionBuilder builder) {
        BudgetRules.warn(builder);
        boolean ending = builder.state().condition() instanceof Condition.Stopping stopping && !stopping.graceful();
        Optional<EndReason> exceeded = ending ? Optional.empty() : BudgetRules.cause(builder.state(), builder.at());
        exceeded.ifPresent(cause -> builder.end(cause, StopMode.TERMINATE));
    }

    /** Recorded at once, then whenever its duration has doubled. */
    private static Decision agentRetries(DecisionBuilder builder, RunInput.AgentRetries input) {
        OpenStep step = builder.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(builder.state(), "a retry by the agent of " + input.stepId() + ", which is not open");
        }
        Optional<OpenStep.Retrying> known = step.retrying();
        if (known.isEmpty() || !builder.at().isBefore(nextNoticeAt(known.get()))) {
            builder.emit(Notice.retrying(step, input.retry()));
        }
        return builder.done();
    }

    private static Instant nextNoticeAt(OpenStep.Retrying known) {
        Duration doubled = Duration.between(known.since(), known.toldAt()).multipliedBy(2);
        return known.since().plus(doubled.compareTo(NOTICE_INTERVAL) < 0 ? NOTICE_INTERVAL : doubled);
    }

    private static Decision signalSeen(DecisionBuilder builder, RunInput.SignalSeen input) {
        OpenStep step = builder.state().steps().get(input.stepId());
        if (step == null) {
            return Decision.late(builder.state(), "a signal of " + input.stepId() + ", which is not open");
        }
        StepEnding.record(builder, step, input.signal());
        return builder.done();
    }

    private static Decision pause(DecisionBuilder builder, RunInput.Pause input) {
        String message = input.reason().filter(text -> !text.isBlank()).orElse("paused by an operator");
        Optional<Instant> later = input.due().filter(builder.at()::isBefore);
        if (later.isPresent() && !builder.is(Condition.Stopping.class)) {
            builder.emit(new RunPausing(
                    Pause.of(PauseReason.OPERATOR, message, builder.at()).withBy(builder.requester()), later));
            PhaseDriver.run(builder);
            return builder.done();
        }
        if (builder.is(Condition.Stopping.class)
                || builder.is(Condition.Paused.class)
                || builder.is(Condition.Queued.class)) {
            String status = builder.state().status().wire();
            String remedy = builder.is(Condition.Queued.class) ? "; stop it to remove it from the queue" : " already";
            String why = "run " + builder.state().runId() + " is " + status + remedy;
            return Decision.refused(builder.state(), new Refusal(RefusalCode.NOT_PAUSABLE, why));
        }
        if (builder.state().pauses().isEmpty()) {
            builder.pause(Pause.of(PauseReason.OPERATOR, message, builder.at()).withBy(builder.requester()));
        }
        return builder.done();
    }

    private static Decision timerDue(DecisionBuilder builder) {
        AskRules.expire(builder);
        boolean due = builder.state()
                .resumeAt()
                .filter(time -> !time.isAfter(builder.at()))
                .isPresent();
        if (due && builder.state().condition() instanceof Condition.Queued queued) {
            return QueueRules.due(builder, queued);
        }
        if (due && builder.state().condition() instanceof Condition.Paused paused) {
            if (paused.later().isPresent()) {
                return QueueRules.due(builder, paused, paused.later().get());
            }
            if (!builder.hasSlot()) {
                return QueueRules.keep(builder, ResumeAction.CONTINUE, ResumeRequest.PLAIN, RunResumed.TIMER);
            }
            Optional<EndReason> breaker = IterationRules.circuitBreaker(builder.state());
            if (breaker.isPresent()) {
                builder.end(breaker.get(), StopMode.TERMINATE); // no step is open
                return builder.done();
            }
            Resumption.afterPause(
                    builder, paused.pause(), ResumeAction.CONTINUE, ResumeRequest.PLAIN, List.of(), RunResumed.TIMER);
        } else if (RunSlots.holds(builder.state().condition())) {
            enforceBudget(builder);
            pauseAsPlanned(builder);
        }
        PhaseDriver.run(builder);
        return builder.done();
    }

    private static void pauseAsPlanned(DecisionBuilder builder) {
        builder.state()
                .plannedPause()
                .filter(planned -> !planned.at().isAfter(builder.at()))
                .filter(planned -> builder.state().condition().proceeds()
                        && builder.state().pauses().isEmpty())
                .ifPresent(planned -> builder.pause(planned.pause().withSince(builder.at())));
    }

    /**
     * Repeats everything that an earlier runtime may have left undone; each command is safe to repeat. The notice names
     * a step once, so that a further restart records nothing.
     */
    private static Decision recover(DecisionBuilder builder, boolean moved) {
        RunState state = builder.state();
        state.steps()
                .values()
                .forEach(step -> builder.command(new RunCommand.Launch(StepSpecs.of(state, step), true, moved)));
        if (state.condition() instanceof Condition.Stopping stopping && !stopping.graceful()) {
            state.steps().keySet().forEach(stepId -> builder.command(new RunCommand.StopStep(stepId, stopping.now())));
        }
        if (state.condition() instanceof Condition.Stopping stopping && stopping.sweeping()) {
            builder.sweep();
        }
        List<String> taken = state.steps().values().stream()
                .filter(step -> !step.takenOver())
                .map(OpenStep::stepId)
                .toList();
        if (moved && !state.steps().isEmpty()) {
            List<String> lost =
                    state.steps().values().stream().map(OpenStep::stepId).toList();
            String message = "taken over from a lost node; open steps: " + String.join(", ", lost);
            builder.emit(Notice.of("taken-over", message, lost));
        } else if (!taken.isEmpty()) {
            String message = "taken over after a restart; open steps: " + String.join(", ", taken);
            builder.emit(Notice.of("recovered", message, taken));
        } else if (state.steps().isEmpty() && state.active().unseenMillis(builder.at()) > 0) {
            builder.emit(Notice.recovered(state.active().unseenMillis(builder.at())));
        }
        if (!state.condition().proceeds() && !builder.is(Condition.Stopping.class)) {
            state.resumeAt().ifPresent(time -> builder.command(new RunCommand.WakeAt(time)));
        } else {
            PhaseDriver.run(builder);
        }
        return builder.done();
    }
}
