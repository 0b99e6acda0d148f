package dev.loopkeeper.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.collection.Copies;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LoopStep;
import dev.loopkeeper.manifest.PhaseSpec;
import dev.loopkeeper.manifest.Until;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.progress.Iteration;
import dev.loopkeeper.run.progress.IterationResult;
import dev.loopkeeper.run.progress.LoopWork;
import dev.loopkeeper.run.progress.NoProgressSnapshot;
import dev.loopkeeper.run.progress.PhaseOutcome;
import dev.loopkeeper.run.step.Retry;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.run.step.StepPosition;
import dev.loopkeeper.run.step.StepSummary;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.termination.EndReason;
import dev.loopkeeper.verdict.NoProgress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Decides the next action of a loop: its next step, the end of the iteration, the next iteration. */
final class LoopRules {
    private LoopRules() {}

    /** Decides one action; false when the loop must wait. */
    static boolean next(DecisionBuilder builder, LoopPhase phase, LoopWork loop) {
        if (loop.current().isEmpty()) {
            if (!builder.state().steps().isEmpty() || !builder.mayStart() || builder.isHalted()) {
                return false;
            }
            if (checksFirst(phase, loop)) {
                builder.launch(StepPosition.ofPhase(StepKind.CHECK, phase.name()), StepSpecs.CHECK, 1);
                return false;
            }
            builder.emit(
                    new IterationStarted(phase.name(), builder.state().cursor().lastIteration() + 1, 1));
            return true;
        }
        if (!builder.state().steps().isEmpty()
                || builder.state().retries().values().stream().anyMatch(Retry::waiting)) {
            return false;
        }
        Iteration iteration = loop.current().get();
        Optional<StepPosition> position = iteration.isCut() ? Optional.empty() : nextPosition(phase, loop, iteration);
        if (position.isPresent() && builder.mayStart() && builder.isReady(RunCommand.UndoWork.class)) {
            builder.launch(
                    position.get(),
                    StepAgents.agentOf(builder.state(), position.get()).orElseThrow(),
                    iteration.attempt());
        }
        if (position.isPresent()) {
            return false;
        }
        finish(builder, phase, iteration);
        return true;
    }

    /** A check that passes before any work proves nothing, see {@link LoopWork#checkCounts}. */
    private static boolean checksFirst(LoopPhase phase, LoopWork loop) {
        return phase.until() instanceof Until.Command check
                && check.first()
                && loop.first().isEmpty()
                && loop.done() == 0;
    }

    /** How many iterations with the same result end the loop; a check that proves nothing never completes it. */
    static int noProgress(LoopPhase phase, LoopWork loop) {
        return phase.noProgress() == 0 && !loop.checkCounts() ? LoopPhase.NO_PROGRESS : phase.noProgress();
    }

    private static Optional<StepPosition> nextPosition(LoopPhase phase, LoopWork loop, Iteration iteration) {
        OptionalInt step = nextStep(phase, loop, iteration);
        if (step.isPresent()) {
            return Optional.of(position(StepKind.LOOP, phase, iteration, step.getAsInt()));
        }
        boolean checked = iteration.ended(StepSpecs.CHECK);
        boolean required = phase.until() instanceof Until.Command && verdict(iteration) != Verdict.SUCCESS;
        return required && !checked
                ? Optional.of(
                        position(StepKind.CHECK, phase, iteration, phase.steps().size()))
                : Optional.empty();
    }

    private static StepPosition position(StepKind kind, LoopPhase phase, Iteration iteration, int index) {
        return new StepPosition(kind, phase.name(), Optional.of(iteration.number()), Optional.empty(), index);
    }

    private static OptionalInt nextStep(LoopPhase phase, LoopWork loop, Iteration iteration) {
        for (int index = iteration.nextStep(); index < phase.steps().size(); index++) {
            if (runs(phase.steps().get(index), loop, iteration)) {
                return OptionalInt.of(index);
            }
        }
        return OptionalInt.empty();
    }

    private static boolean runs(LoopStep step, LoopWork loop, Iteration iteration) {
        boolean inTurn = (iteration.number() - loop.base()) % step.every() == 0;
        boolean forced = loop.optOuts() + 1 >= LoopWork.FORCING_OPT_OUT;
        boolean skipped = iteration.discontinued() || (iteration.optsOut() && !forced);
        return inTurn && !(step.requested() && skipped);
    }

    /** Counts the iteration and applies the rules. */
    private static void finish(DecisionBuilder builder, LoopPhase phase, Iteration iteration) {
        Verdict verdict = verdict(iteration);
        builder.emit(finished(builder, phase, iteration, verdict, true));
        if (builder.is(Condition.Stopping.class)) {
            return;
        }
        RuleResult result = new IterationRules(builder.state(), phase, iteration, verdict, builder.at()).decide();
        if (result instanceof RuleResult.Complete complete) {
            builder.finishPhase(PhaseOutcome.PASSED, complete.message());
        } else if (result instanceof RuleResult.PauseFor pause) {
            builder.pause(pause.pause());
        } else if (result instanceof RuleResult.End end && phase.critical()) {
            builder.end(end.cause(), end.mode());
        } else if (result instanceof RuleResult.End end) {
            leave(builder, end);
        }
    }

    /** A loop that is not critical may reach its limit; a stop condition of the run still halts it. */
    private static void leave(DecisionBuilder builder, RuleResult.End end) {
        if (end.cause().stopReason().isPresent()) {
            builder.end(end.cause(), end.mode());
        } else {
            builder.finishPhase(PhaseOutcome.FAILED, end.cause().summary());
        }
    }

    /**
     * Counts the current iteration if its steps have ended and it would end the run, and returns the causes: more
     * important endings list them. A resume judges any other iteration.
     */
    static List<EndReason> closing(DecisionBuilder builder) {
        Optional<PhaseSpec> phase = builder.state().phase();
        if (!(builder.state().cursor().work() instanceof LoopWork loop)
                || loop.current().isEmpty()
                || !isOver((LoopPhase) phase.orElseThrow(), loop)) {
            return List.of();
        }
        Iteration iteration = loop.current().get();
        Verdict verdict = verdict(iteration);
        IterationFinished counted = finished(builder, (LoopPhase) phase.get(), iteration, verdict, true);
        RunState after = counted.apply(builder.state(), builder.at());
        RuleResult result =
                new IterationRules(after, (LoopPhase) phase.get(), iteration, verdict, builder.at()).decide();
        if (result instanceof RuleResult.End end) {
            builder.emit(counted);
            return List.of(end.cause());
        }
        return List.of();
    }

    static boolean isOver(LoopPhase phase, LoopWork loop) {
        Iteration iteration = loop.current().orElseThrow();
        return iteration.isCut() || nextPosition(phase, loop, iteration).isEmpty();
    }

    /** The iterations that produced the same result once this step has ended, if it is the last of its iteration. */
    static Optional<JsonNode> snapshotAfter(RunState state, StepPosition position, StepSummary note) {
        if (position.iteration().isEmpty()
                || !position.isWork()
                || !(state.cursor().work() instanceof LoopWork loop)) {
            return Optional.empty();
        }
        LoopPhase phase = (LoopPhase) state.phase().orElseThrow();
        Iteration iteration = loop.current().orElseThrow().after(position.index(), note);
        if (!isOver(phase, loop.withCurrent(iteration)) || verdict(iteration) == Verdict.SUCCESS) {
            return Optional.empty();
        }
        List<LoopWork.Fingerprint> prints = Copies.plus(
                loop.recent(),
                new LoopWork.Fingerprint(
                        iteration.number(),
                        verdict(iteration).wire(),
                        Fingerprints.of(verdict(iteration), iteration.notes())));
        return NoProgressSnapshot.found(prints, noProgress(phase, loop), Fingerprints.compared(state, phase));
    }

    /** Drops the rest of the current iteration without counting it. */
    static void cutShort(DecisionBuilder builder, LoopPhase phase, Iteration iteration) {
        builder.emit(finished(builder, phase, iteration, verdict(iteration), false));
    }

    private static IterationFinished finished(
            DecisionBuilder builder, LoopPhase phase, Iteration iteration, Verdict verdict, boolean counts) {
        LoopWork loop = (LoopWork) builder.state().cursor().work();
        boolean forced = loop.optOuts() + 1 >= LoopWork.FORCING_OPT_OUT;
        boolean requests = phase.steps().stream().anyMatch(LoopStep::requested);
        IterationResult result = new IterationResult(
                verdict,
                verdict.outcome(),
                counts,
                Fingerprints.of(verdict, iteration.notes()),
                NoProgress.lookBack(noProgress(phase, loop)),
                requests && iteration.optsOut() && !forced);
        return new IterationFinished(phase.name(), iteration.number(), iteration.attempt(), result);
    }

    /** The last determination of a step; PROGRESS when there is none. */
    static Verdict verdict(Iteration iteration) {
        if (iteration.failed()) {
            return Verdict.FAILED;
        }
        List<Verdict> given = iteration.notes().stream()
                .flatMap(note -> note.rating().judgement().stream())
                .toList();
        return given.isEmpty() ? Verdict.PROGRESS : given.get(given.size() - 1);
    }
}
