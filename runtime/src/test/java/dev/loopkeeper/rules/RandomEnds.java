package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.by;
import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.lasting;
import static dev.loopkeeper.rules.StepEnd.provider;
import static dev.loopkeeper.rules.StepEnd.signal;
import static dev.loopkeeper.rules.StepEnd.silent;
import static dev.loopkeeper.rules.StepEnd.withoutDiskSpace;

import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.KeptWorktree;
import dev.loopkeeper.run.git.Merge;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.verdict.Signal;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;

/** All the ways in which steps end, the good ones more often. */
final class RandomEnds {
    private static final List<StepEnd> GOOD = List.of(
            exit(0),
            exit(0).costing(0.2),
            signal("verdict: approved"),
            signal("determination: PROGRESS"),
            signal("determination: PROGRESS").withDigest("same"),
            signal("determination: MILESTONE_SUCCESS").costing(0.3),
            signal("determination: SUCCESS"),
            signal("status: completed, reflectionNeeded: false").withDigest("same"),
            signal("status: completed, shouldContinue: false"),
            exit(0).printingTheText());
    private static final List<StepEnd> BAD = List.of(
            exit(1),
            exit(2).withDigest("same"),
            signal("verdict: rejected"),
            signal("verdict: failed"),
            signal("determination: STALLED"),
            signal("determination: ANOMALY"),
            signal("status: partial"),
            provider(OptionalLong.empty()),
            provider(OptionalLong.of(500)).costing(0.4),
            provider(OptionalLong.empty()).backAt(RunKit.BEGIN.plusSeconds(60)),
            silent(SignalDetail.ABSENT),
            silent(SignalDetail.MALFORMED).costing(1),
            by(ExitCause.KILLED),
            by(ExitCause.TIMEOUT),
            by(ExitCause.VANISHED),
            by(ExitCause.RUNTIME_DIED),
            by(ExitCause.NODE_LOST));
    private static final List<StepEnd> RARE = List.of(
            signal("determination: SUCCESS, recommendStop: true"),
            signal("determination: PROGRESS, userInputNeeded: true, questions: [why]"),
            signal("verdict: approved, userInputNeeded: true"),
            signal("readiness: BLOCKED, gaps: [plan]"),
            signal("readiness: SCOPE_COMPLETE"),
            signal("determination: PROGRESS, recommendedAction: finish_loop"),
            signal("determination: PROGRESS, recommendedAction: stop_loop_now"),
            signal("determination: PROGRESS, recommendedAction: refine_plan"),
            signal("terminal: {reasonCode: licence-expired, summary: gone}"),
            signal("terminal: {reasonCode: no-such-thing, summary: gone}"),
            signal("status: completed, deliverable: {answer: 42}"),
            exit(0).leaving("12 sleeper"),
            silent(SignalDetail.STALE).leaving("13 sleeper"),
            lasting("error_provider_auth", "auth"),
            lasting("error_provider_auth", "model-missing"),
            lasting("error_halted", "unclassified"),
            lasting("error_infrastructure", "infrastructure"),
            by(ExitCause.LAUNCH_FAILED),
            withoutDiskSpace(),
            exit(0).costing(9));
    private static final List<StepEnd> ALL =
            Stream.of(GOOD, BAD, RARE).flatMap(List::stream).toList();
    private static final List<Signal> SIGNALS = ALL.stream()
            .map(StepEnd::reading)
            .filter(SignalReading.Valid.class::isInstance)
            .map(reading -> ((SignalReading.Valid) reading).signal())
            .toList();

    private final Random random;
    private final Weights groups;
    /** Ends that come again and again in this schedule. */
    private final List<StepEnd> frequent;

    RandomEnds(Random random) {
        this.random = random;
        this.groups = new Weights(random, 12, 6, 2, 4);
        this.frequent = List.of(one(ALL), one(BAD));
    }

    GitResult inGit(RunCommand.Git order) {
        if (random.nextInt(30) == 0) {
            return new GitResult.Failed(new GitFailure("no space left on device", false));
        } else if (order instanceof RunCommand.UndoWork) {
            return new GitResult.Undone(
                    random.nextBoolean() ? Optional.of("refs/loopkeeper/run-1/undone/1") : Optional.empty());
        } else if (order instanceof RunCommand.FinishWorktree || order instanceof RunCommand.DropWorktree) {
            return new GitResult.Finished(
                    random.nextInt(4) == 0 ? Optional.of(new KeptWorktree("/w", "it is not clean")) : Optional.empty());
        }
        boolean conflict = random.nextInt(3) == 0;
        boolean nothing = random.nextInt(4) == 0;
        return new GitResult.Merged(new Merge(
                conflict || nothing ? Optional.empty() : Optional.of("merge " + random.nextInt(1_000_000)),
                "head " + random.nextInt(1_000_000),
                conflict ? List.of("one.txt") : List.of(),
                Changed.NOTHING,
                Changed.NOTHING));
    }

    private StepEnd inGit(StepEnd end) {
        int dice = random.nextInt(40);
        if (dice < 20) {
            return end.committing("commit " + random.nextInt(1_000_000));
        }
        return dice > 37
                ? end.became(new StepOutcome.Git(
                        Optional.empty(), Optional.of(new GitFailure("the worktree is gone", dice == 38))))
                : end;
    }

    StepOutcome outcome(Instant at, boolean asked, boolean git) {
        StepEnd end = asked && random.nextInt(5) != 0 ? by(ExitCause.STOPPED) : any();
        if (asked && random.nextInt(20) == 0) {
            end = end.leaving("14 sleeper");
        }
        return (git ? inGit(end) : end).outcome(at, "output " + random.nextInt(3));
    }

    private StepEnd any() {
        return one(List.of(GOOD, BAD, RARE, frequent).get(groups.pick(random)));
    }

    Signal seen() {
        return one(SIGNALS);
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
