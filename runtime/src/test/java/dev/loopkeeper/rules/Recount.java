package dev.loopkeeper.rules;

import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.IterationFinished;
import dev.loopkeeper.run.IterationStarted;
import dev.loopkeeper.run.PhaseFinished;
import dev.loopkeeper.run.PhaseStarted;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunEvent;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.StepFinished;
import dev.loopkeeper.run.StepStarted;
import dev.loopkeeper.run.step.StepKind;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.UnitOutcome;
import dev.loopkeeper.step.Failure;
import dev.loopkeeper.step.FailureKind;
import java.util.HashMap;
import java.util.Map;

/** Counts a run's units again, from its events alone and by another way than the machine. */
final class Recount {
    private record Unit(UnitOutcome outcome, int attempts) {}

    private final Manifest manifest;
    private final Map<String, Unit> ended = new HashMap<>();
    /** By each phase, the generation and the number of items of its newest pass. */
    private final Map<String, Integer> passes = new HashMap<>();

    private final Map<String, Integer> sizes = new HashMap<>();
    private int generation;
    private int total;
    private int attempts;
    private int streak;
    /** How many attempts of the current iteration were interrupted. */
    private int lost;
    /** Whether the newest step of the current attempt was interrupted and is launched again. */
    private boolean interrupted;

    Recount(Manifest manifest) {
        this.manifest = manifest;
    }

    RunStatistics statistics() {
        return new RunStatistics(
                total,
                new RunStatistics.Ended(
                        ended.size(),
                        count(UnitOutcome.APPROVED),
                        count(UnitOutcome.REJECTED),
                        count(UnitOutcome.FAILED),
                        (int) ended.values().stream()
                                .filter(unit -> unit.attempts() > 1)
                                .count()),
                attempts,
                streak);
    }

    private int count(UnitOutcome outcome) {
        return (int) ended.values().stream()
                .filter(unit -> unit.outcome() == outcome)
                .count();
    }

    void add(RunEvent event) {
        if (event instanceof PhaseStarted started) {
            generation++;
            total += manifest.phase(started.index()) instanceof EachPhase each ? moreItems(started, each) : 0;
        } else if (event instanceof PhaseFinished) {
            generation++;
        } else if (event instanceof IterationStarted started) {
            total += started.attempt() == 1 ? 1 : 0;
            lost = started.attempt() == 1 ? 0 : lost + (interrupted ? 1 : 0);
            interrupted = false;
        } else if (event instanceof StepFinished finished) {
            interrupted = interrupted(finished);
        } else if (event instanceof StepStarted started) {
            attempts += started.position().kind() == StepKind.CHECK ? 0 : 1;
        } else if (event instanceof IterationFinished finished) {
            iteration(finished);
        } else if (event instanceof ItemFinished finished && finished.ended().isPresent()) {
            ended(finished.item(), finished.ended().get(), finished.attempt(), finished.isFinal());
        } else if (event instanceof RunResumed resumed) {
            resumed(resumed);
        }
    }

    /** Items are the same units in each pass, so those of the earlier pass do not count any more. */
    private int moreItems(PhaseStarted started, EachPhase each) {
        Integer earlier = passes.put(started.phase(), generation);
        ended.keySet().removeIf(unit -> unit.startsWith(earlier + "/"));
        int items = started.items().orElse(each.items()).size();
        Integer known = sizes.put(started.phase(), items);
        return items - (known == null ? 0 : known);
    }

    private String unit(Object name) {
        return generation + "/" + name;
    }

    private void iteration(IterationFinished finished) {
        if (finished.result().counts()) {
            ended(finished.iteration(), finished.result().outcome(), finished.attempt() - lost, true);
        } else {
            total--;
        }
    }

    private void ended(Object unit, UnitOutcome outcome, int attempt, boolean isFinal) {
        streak = outcome == UnitOutcome.APPROVED ? 0 : streak + 1;
        if (isFinal) {
            ended.put(unit(unit), new Unit(outcome, attempt));
        }
    }

    private boolean interrupted(StepFinished finished) {
        boolean now = finished.note()
                .failure()
                .map(Failure::kind)
                .map(FailureKind.INTERRUPTED::equals)
                .orElse(interrupted);
        return now && !finished.consumed();
    }

    private void resumed(RunResumed resumed) {
        interrupted =
                interrupted && resumed.accepted().isEmpty() && resumed.failure().isEmpty();
        streak = resumed.newExecution() ? 0 : streak;
        ResumeRequest request = resumed.request();
        request.resetItems().forEach(item -> ended.remove(unit(item)));
        int limit = request.maxAttempts().orElse(0);
        int changed = request.changedManifest().isPresent()
                ? attempts(request.changedManifest().get().resolved())
                : 0;
        ended.entrySet()
                .removeIf(entry -> entry.getKey().startsWith(generation + "/")
                        && isItem(entry.getKey())
                        && entry.getValue().outcome() != UnitOutcome.APPROVED
                        && entry.getValue().attempts() < Math.max(limit, changed));
        if (request.resetStatistics()) {
            ended.clear();
            attempts = 0;
            streak = 0;
        }
    }

    private static int attempts(Manifest changed) {
        return changed.phases().stream()
                .filter(EachPhase.class::isInstance)
                .mapToInt(phase -> ((EachPhase) phase).maxAttempts())
                .max()
                .orElse(0);
    }

    /** Items in tests begin with a letter. */
    private static boolean isItem(String unit) {
        return Character.isLetter(unit.charAt(unit.indexOf('/') + 1));
    }
}
