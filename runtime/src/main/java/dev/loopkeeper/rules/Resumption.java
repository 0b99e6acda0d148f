package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.run.EachWork;
import dev.loopkeeper.run.EndCause;
import dev.loopkeeper.run.ItemStarted;
import dev.loopkeeper.run.ItemStatus;
import dev.loopkeeper.run.ItemWork;
import dev.loopkeeper.run.Iteration;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.LoopWork;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.PhaseOutcome;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.Slot;
import dev.loopkeeper.run.SlotKind;
import dev.loopkeeper.run.StopCause;
import dev.loopkeeper.run.Work;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StandardReason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How a run goes on after a pause or an ending, once nothing stands against it. */
final class Resumption {
    private Resumption() {}

    static void afterPause(
            Draft draft, Pause pause, ResumeAction action, ResumeRequest request, List<String> missing, String by) {
        if (action == ResumeAction.STOP_LOOP_NOW) {
            Optional<String> said = request.feedback().filter(text -> !text.isBlank());
            String summary = "stopped by an operator in a pause"
                    + said.map(text -> ": " + text).orElse("");
            EndCause stop = EndCause.of(StandardReason.OPERATOR_STOP, summary).askedBy(StopCause.OPERATOR);
            draft.end(stop, StopMode.TERMINATE, said);
            return;
        }
        Optional<RunState.Aside> consults = waives(draft, request) ? Optional.empty() : consults(draft, pause, action);
        OptionalInt allowance = allowanceAfterPause(draft, request);
        Optional<RunResumed.Accepted> accepted = action == ResumeAction.CONTINUE ? acceptance(pause) : Optional.empty();
        draft.emit(new RunResumed(
                        action,
                        by,
                        false,
                        request,
                        allowance,
                        overridden(missing),
                        consults,
                        accepted,
                        Optional.empty())
                .resolved(draft.state()));
        if (waives(draft, request)) {
            waive(draft);
        } else if (consults.isPresent()) {
            launchAside(draft, consults.get());
        } else {
            carryOut(draft, pause, action);
        }
    }

    /** Starts a new execution. */
    static void afterEnding(Draft draft, ResumeRequest request, List<String> missing) {
        draft.emit(new RunResumed(
                        request.action().orElse(ResumeAction.CONTINUE),
                        ResumeRules.OPERATOR,
                        true,
                        request,
                        allowanceAfterEnding(draft, request),
                        overridden(missing),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .resolved(draft.state()));
        if (waives(draft, request)) {
            waive(draft);
        }
    }

    private static Optional<String> overridden(List<String> missing) {
        return missing.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", missing));
    }

    /** Whether this request names the gate that the run stands at. */
    private static boolean waives(Draft draft, ResumeRequest request) {
        return draft.state()
                .phase()
                .filter(GatePhase.class::isInstance)
                .filter(gate -> request.waive().filter(gate.name()::equals).isPresent())
                .isPresent();
    }

    private static void waive(Draft draft) {
        draft.finishPhase(PhaseOutcome.WAIVED, "waived by an operator");
    }

    private static Optional<RunResumed.Accepted> acceptance(Pause pause) {
        return pause.accepted().flatMap(note -> pause.slot().map(slot -> new RunResumed.Accepted(slot, note)));
    }

    private static Optional<RunState.Aside> consults(Draft draft, Pause pause, ResumeAction action) {
        return action.agent()
                .filter(draft.state().plan().manifest().agents()::containsKey)
                .map(agent -> new RunState.Aside(action, agent, pause));
    }

    private static void launchAside(Draft draft, RunState.Aside aside) {
        RunState state = draft.state();
        String phase = state.phase().map(PhaseSpec::name).orElse("end");
        Slot slot = new Slot(SlotKind.ASIDE, phase, Optional.empty(), Optional.empty(), 0);
        String stem = phase + "." + aside.agent() + ".";
        int attempt = (int) state.cursor().launches().keySet().stream()
                        .filter(known -> known.startsWith(stem))
                        .count()
                + 1;
        draft.launch(slot, aside.agent(), attempt, false);
    }

    /** A consulted agent ended: its word, or plainly going on. A consultation that failed leads back to the pause. */
    static void afterAside(Draft draft, RunState.Aside aside, StepJudgement judged) {
        if (judged.failed()) {
            draft.emit(Notice.of("consultation-failed", aside.agent() + " gave no valid result; the pause stands"));
            draft.pause(aside.pause());
            return;
        }
        boolean reflects = aside.action() == ResumeAction.CONSULT_REFLECTION;
        ResumeAction recommended = judged.signal()
                .flatMap(signal -> signal.recommendedAction())
                .filter(action -> reflects && aside.pause().allowedActions().contains(action))
                .filter(action -> action != ResumeAction.CONSULT_REFLECTION)
                .orElse(ResumeAction.CONTINUE);
        boolean plain = recommended == ResumeAction.CONTINUE;
        if (!plain && recommended != ResumeAction.FINISH_LOOP) {
            afterPause(draft, aside.pause(), recommended, ResumeRequest.PLAIN, List.of(), aside.agent());
        } else {
            carryOut(draft, aside.pause(), recommended);
        }
    }

    private static void carryOut(Draft draft, Pause pause, ResumeAction action) {
        boolean begun = !(draft.state().cursor().work() instanceof Work.None);
        switch (action) {
            case FINISH_LOOP -> {
                if (begun) { // else the phase that was to be left is behind the run already
                    draft.finishPhase(PhaseOutcome.FINISHED, "finished by an operator");
                }
            }
            case RETRY_ITERATION -> retry(draft, pause);
            default -> goOn(draft, pause);
        }
    }

    private static void retry(Draft draft, Pause pause) {
        Work work = draft.state().cursor().work();
        if (work instanceof LoopWork loop && loop.current().isPresent()) {
            Iteration current = loop.current().get();
            draft.emit(new IterationStarted(
                    draft.state().phase().orElseThrow().name(), current.number(), current.attempt() + 1));
        } else {
            beginItemAgain(draft, pause);
        }
    }

    private static void goOn(Draft draft, Pause pause) {
        if (pause.reason() == PauseReason.USER_INPUT_NEEDED) {
            beginItemAgain(draft, pause);
        }
    }

    /** Begins the attempt again that the pause is about, if it is about an item. */
    private static void beginItemAgain(Draft draft, Pause pause) {
        Optional<String> item = pause.slot().flatMap(Slot::item);
        if (item.isPresent() && draft.state().cursor().work() instanceof EachWork each) {
            ItemWork work = each.item(item.get());
            String phase = draft.state().phase().orElseThrow().name();
            if (work.status() == ItemStatus.RUNNING) { // else it was reset, and begins its first attempt by itself
                draft.emit(new ItemStarted(phase, item.get(), work.attempts(), true));
            }
        }
    }

    /** A person's word to go on is worth one more iteration where none is left. */
    private static OptionalInt allowanceAfterPause(Draft draft, ResumeRequest request) {
        if (!(draft.state().cursor().work() instanceof LoopWork loop)) {
            return OptionalInt.empty();
        }
        if (request.maxIterations().isPresent()) {
            return request.maxIterations();
        }
        boolean none = loop.exhausted() && loop.current().isEmpty();
        return none ? OptionalInt.of(loop.done() + 1) : OptionalInt.empty();
    }

    /** Feedback without a higher limit is worth the loop's own limit once more. */
    private static OptionalInt allowanceAfterEnding(Draft draft, ResumeRequest request) {
        Optional<PhaseSpec> phase = draft.state().phase();
        if (!(draft.state().cursor().work() instanceof LoopWork loop) || phase.isEmpty()) {
            return OptionalInt.empty();
        }
        if (request.maxIterations().isPresent()) {
            return request.maxIterations();
        }
        boolean none = loop.exhausted() && loop.current().isEmpty();
        int own = ((LoopPhase) phase.get()).maxIterations();
        return none ? OptionalInt.of(own == 0 ? 0 : loop.done() + own) : OptionalInt.empty();
    }
}
