package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunResumedBuilder;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.progress.Work;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.termination.StopCause;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Resumes a run after a pause or an ending, once all requirements are met. */
final class Resumption {
    private Resumption() {}

    static void afterPause(
            DecisionBuilder builder,
            Pause pause,
            ResumeAction action,
            ResumeRequest request,
            List<String> missing,
            String by) {
        if (action == ResumeAction.STOP_LOOP_NOW) {
            Optional<String> said = request.feedback().filter(text -> !text.isBlank());
            String summary = "stopped " + byWhom(by) + " during a pause"
                    + said.map(text -> ": " + text).orElse("");
            EndReason stop = EndReason.of(StandardReason.OPERATOR_STOP, summary).askedBy(StopCause.OPERATOR);
            builder.end(stop, StopMode.TERMINATE, said);
            return;
        }
        Optional<RunState.Consultation> consults =
                waives(builder, request) ? Optional.empty() : consults(request.on(builder.state()), pause, action);
        OptionalInt allowance = allowance(request.on(builder.state()), request, false);
        Optional<RunResumed.Accepted> accepted =
                action == ResumeAction.CONTINUE ? acceptance(builder.state(), pause) : Optional.empty();
        builder.emit(RunResumedBuilder.builder()
                .action(action)
                .by(builder.named(by))
                .request(request)
                .allowance(allowance)
                .overridden(overridden(missing))
                .consults(consults)
                .accepted(accepted)
                .failure(StepFailures.before(pause))
                .build()
                .resolved(builder.state()));
        if (waives(builder, request)) {
            waive(builder);
        } else if (consults.isPresent()) {
            launchConsultation(builder, consults.get());
        } else {
            execute(builder, pause, action, by);
        }
    }

    private static String byWhom(String by) {
        return by.equals(ResumeRules.OPERATOR) ? "by an operator" : "as recommended by " + by;
    }

    /** Starts a new execution. */
    static void afterEnding(DecisionBuilder builder, ResumeRequest request, List<String> missing) {
        builder.emit(RunResumedBuilder.builder()
                .action(request.action().orElse(ResumeAction.CONTINUE))
                .by(builder.named(ResumeRules.OPERATOR))
                .newExecution(true)
                .request(request)
                .allowance(allowance(request.on(builder.state()), request, true))
                .overridden(overridden(missing))
                .failure(StepFailures.before(builder.state().condition()))
                .build()
                .resolved(builder.state()));
        if (waives(builder, request)) {
            waive(builder);
        }
    }

    private static Optional<String> overridden(List<String> missing) {
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", missing));
    }

    /** Whether the request waives the current gate. */
    private static boolean waives(DecisionBuilder builder, ResumeRequest request) {
        return builder.state()
                .phase()
                .filter(GatePhase.class::isInstance)
                .filter(gate -> request.waive().filter(gate.name()::equals).isPresent())
                .isPresent();
    }

    private static void waive(DecisionBuilder builder) {
        builder.finishPhase(PhaseOutcome.WAIVED, "waived by an operator");
    }

    /** A consultation has no position in the work, so continuing after it accepts no step. */
    private static Optional<RunResumed.Accepted> acceptance(RunState state, Pause pause) {
        Optional<StepPosition> position = pause.position().filter(at -> at.kind() != StepKind.CONSULTATION);
        return pause.accepted()
                .flatMap(note -> position.map(at -> new RunResumed.Accepted(at, withExit(state, at, note))));
    }

    /** Adds exit code and output to the failure, which the pause does not repeat. */
    private static StepSummary withExit(RunState state, StepPosition position, StepSummary note) {
        return note.withFailure(state.tries(position.phase(), position.item())
                .repeated()
                .map(EarlierTries.Repeated::failure)
                .or(note::failure));
    }

    private static Optional<RunState.Consultation> consults(RunState state, Pause pause, ResumeAction action) {
        return action.agent()
                .filter(state.manifest().agents()::containsKey)
                .map(agent -> new RunState.Consultation(action, agent, pause));
    }

    static void launchConsultation(DecisionBuilder builder, RunState.Consultation consultation) {
        RunState state = builder.state();
        String phase = state.phase().map(PhaseSpec::name).orElse("end");
        StepPosition position = StepPosition.ofPhase(StepKind.CONSULTATION, phase);
        int before = state.cursor().launches(phase + "." + consultation.agent() + ".");
        builder.launch(position, consultation.agent(), before + 1);
    }

    /**
     * A consulted agent ended: follows its recommendation, or continues. A failed consultation returns to the pause.
     */
    static void afterConsultation(
            DecisionBuilder builder, RunState.Consultation consultation, StepJudgement judgement) {
        if (judgement.failed()) {
            builder.emit(Notice.of(
                    "consultation-failed", consultation.agent() + " gave no valid result; the pause continues"));
            builder.pause(consultation.pause());
            return;
        }
        boolean reflects = consultation.action() == ResumeAction.CONSULT_REFLECTION;
        ResumeAction recommended = judgement
                .signal()
                .flatMap(signal -> signal.recommendedAction())
                .filter(action ->
                        reflects && consultation.pause().allowedActions().contains(action))
                .filter(action -> action != ResumeAction.CONSULT_REFLECTION)
                .orElse(ResumeAction.CONTINUE);
        boolean plain = recommended == ResumeAction.CONTINUE;
        if (!plain && recommended != ResumeAction.FINISH_LOOP) {
            afterPause(
                    builder, consultation.pause(), recommended, ResumeRequest.PLAIN, List.of(), consultation.agent());
        } else {
            execute(builder, consultation.pause(), recommended, consultation.agent());
        }
    }

    private static void execute(DecisionBuilder builder, Pause pause, ResumeAction action, String by) {
        boolean begun = !(builder.state().cursor().work() instanceof Work.None);
        switch (action) {
            case FINISH_LOOP -> {
                if (begun) { // else the run has left the phase already
                    builder.finishPhase(PhaseOutcome.FINISHED, "finished " + byWhom(by));
                }
            }
            case RETRY_ITERATION -> retry(builder, pause);
            default -> proceed(builder, pause);
        }
    }

    private static void retry(DecisionBuilder builder, Pause pause) {
        Work work = builder.state().cursor().work();
        if (work instanceof LoopWork loop && loop.current().isPresent()) {
            Iteration current = loop.current().get();
            builder.emit(new IterationStarted(
                    builder.state().phase().orElseThrow().name(), current.number(), current.attempt() + 1));
        } else {
            beginItemAgain(builder, pause, builder.state().git().isPresent());
        }
    }

    private static void proceed(DecisionBuilder builder, Pause pause) {
        if (pause.reason() == PauseReason.USER_INPUT_NEEDED) {
            beginItemAgain(builder, pause, false);
        }
    }

    /** Restarts the attempt that the pause concerns, if it concerns an item. */
    private static void beginItemAgain(DecisionBuilder builder, Pause pause, boolean undo) {
        Optional<String> item = pause.position().flatMap(StepPosition::item);
        if (item.isPresent() && builder.state().cursor().work() instanceof EachWork each) {
            ItemWork work = each.item(item.get());
            String phase = builder.state().phase().orElseThrow().name();
            if (work.status() == ItemStatus.RUNNING) { // else it was reset and begins its first attempt anyway
                builder.emit(new ItemStarted(phase, item.get(), work.attempts(), true, undo));
            }
        }
    }

    /**
     * When no iteration is left, a person's continue permits one more, and feedback after an ending without a higher
     * limit the loop's own limit once more.
     */
    private static OptionalInt allowance(RunState state, ResumeRequest request, boolean afterEnding) {
        if (!(state.cursor().work() instanceof LoopWork loop)) {
            return OptionalInt.empty();
        }
        boolean none = loop.exhausted() && loop.current().isEmpty();
        if (!none || request.maxIterations().isPresent()) {
            return request.maxIterations();
        }
        int more = afterEnding ? ((LoopPhase) state.phase().orElseThrow()).maxIterations() : 1;
        return OptionalInt.of(more == 0 ? 0 : loop.done() + more);
    }
}
