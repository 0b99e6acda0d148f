package dev.loopkeeper.rules;

import static dev.loopkeeper.rules.StepEnd.exit;
import static dev.loopkeeper.rules.StepEnd.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.rules.message.GitFailure;
import dev.loopkeeper.rules.message.GitResult;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ItemFinished;
import dev.loopkeeper.run.Notice;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.WorkspaceMerged;
import dev.loopkeeper.run.git.Changed;
import dev.loopkeeper.run.git.KeptWorktree;
import dev.loopkeeper.run.git.Merge;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.termination.ResumeAction;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.verdict.SignalDetail;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a run asks of git in each of its states, and what becomes of the answers. */
class GitRulesTest {
    private static final String ISOLATED = """
            isolation: {git: worktree}
            retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0, maxRetryRate: 0}}
            """;
    private static final StepEnd APPROVED = signal("verdict: approved");
    private static final StepEnd REJECTED = signal("verdict: rejected");
    private static final StepEnd PROGRESS = signal("determination: PROGRESS");
    private static final StepEnd SILENT = StepEnd.silent(SignalDetail.ABSENT);

    private static RunKit loop(String isolation) {
        return RunKit.started(isolation + Manifests.loop("maxIterations: 5"));
    }

    private static RunKit loop() {
        return loop(ISOLATED);
    }

    private static RunKit each() {
        return RunKit.started(ISOLATED + Manifests.each("{id: a}, {id: b}, {id: c}", "concurrency: 3, maxAttempts: 2"));
    }

    /** The first iteration is to be tried again after its first step made a commit. */
    private static RunKit retried(RunKit run) {
        return run.ends("dev", exit(0).committing("c1"))
                .ends("judge", SILENT)
                .resume(Resume.with(ResumeAction.RETRY_ITERATION));
    }

    @CanIgnoreReturnValue
    private static RunKit approved(RunKit run, String... items) {
        for (String item : items) {
            run.ends("frames." + item + ".dev.1", exit(0).committing(item + "1"))
                    .ends("frames." + item + ".audit.1", APPROVED);
        }
        return run;
    }

    private static String name(RunCommand.Git order) {
        if (order instanceof RunCommand.MergeItem merge) {
            return "merge " + merge.item() + merge.attempt();
        }
        if (order instanceof RunCommand.DropWorktree drop) {
            return "drop " + drop.worktree().folder().replaceAll("worktrees/frames[.]|-[0-9]+$", "");
        }
        return order instanceof RunCommand.UndoWork undo ? "undo " + undo.keepAs() + " to " + undo.to() : "finish";
    }

    private static List<String> awaited(RunKit run) {
        return GitRules.awaited(run.state()).stream().map(GitRulesTest::name).toList();
    }

    private static List<String> asked(RunKit run) {
        return run.commands(RunCommand.Git.class).stream()
                .map(GitRulesTest::name)
                .toList();
    }

    static Stream<Arguments> states() {
        String merges = "merge a1, merge b1";
        return Stream.of(
                arguments("a step is under way", loop(), ""),
                arguments("an iteration goes on", loop().ends("dev", exit(0).committing("c1")), ""),
                arguments("an iteration is tried again", retried(loop()), "undo build.1.1 to base"),
                arguments(
                        "a later iteration is tried again",
                        loop().ends("dev", exit(0).committing("c1"))
                                .ends("judge", PROGRESS)
                                .ends("dev", exit(0).committing("c2"))
                                .ends("judge", SILENT)
                                .resume(Resume.with(ResumeAction.RETRY_ITERATION)),
                        "undo build.2.1 to c1"),
                arguments(
                        "one that committed nothing is tried again",
                        retried(loop("isolation: {git: worktree, commit: none}\n")),
                        ""),
                arguments("one without a worktree is tried again", retried(loop("")), ""),
                arguments("no item is over", each(), ""),
                arguments("items wait to be merged", approved(each(), "a", "b"), merges),
                arguments("an operator pauses it", approved(each(), "a", "b").pause(), merges),
                arguments(
                        "its other item ended, so it rests",
                        approved(each(), "a", "b").pause().ends("dev", exit(0)),
                        ""),
                arguments(
                        "it goes on after the pause",
                        approved(each(), "a", "b").pause().ends("dev", exit(0)).resume(Resume.plain()),
                        merges),
                arguments("it is stopped", approved(each(), "a").stop(), ""),
                arguments("it is stopped at once", approved(each(), "a").stop(StopCause.OPERATOR, true), ""),
                arguments(
                        "an item is rejected",
                        approved(each(), "a").ends("frames.b.dev.1", exit(0)).ends("frames.b.audit.1", REJECTED),
                        "drop b.1, merge a1"),
                arguments("an item is merged", approved(each(), "a", "b").merged("m1"), "drop a.1, merge b1"),
                arguments(
                        "its worktree is gone",
                        approved(each(), "a", "b").merged("m1").dropped(),
                        "merge b1"),
                arguments("an item conflicts", approved(each(), "a").conflicts("one.txt"), "drop a.1"),
                arguments("it is paused after a merge", resting(), "drop a.1"),
                arguments(
                        "it is paused, and nothing is left to clear", resting().dropped(), ""),
                arguments(
                        "it is stopped after a merge",
                        approved(each(), "a").merged("m1").stop(),
                        "drop a.1"),
                arguments(
                        "it is stopped at once after a merge",
                        approved(each(), "a").merged("m1").stop(StopCause.OPERATOR, true),
                        ""),
                arguments("all is done but a worktree", last().merged("m1"), "drop a.1"),
                arguments("all is done and cleared", last().merged("m1").dropped(), "finish"),
                arguments("all is done", done(), "finish"),
                arguments("it has completed", done().cleared(), ""));
    }

    /** Its other steps end after a pause was requested and an item was merged. */
    private static RunKit resting() {
        return approved(each(), "a")
                .merged("m1")
                .pause()
                .ends("frames.b.dev.1", exit(0))
                .ends("frames.c.dev.1", exit(0));
    }

    /** Its only item waits to be merged. */
    private static RunKit last() {
        return approved(RunKit.started(ISOLATED + Manifests.each("{id: a}", "concurrency: 1")), "a");
    }

    private static RunKit done() {
        return RunKit.started(ISOLATED + Manifests.phases("{name: plan, task: dev}"))
                .ends("dev", exit(0).committing("c1"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void whatIsAwaitedFollowsFromTheState(String state, RunKit run, String orders) {
        assertThat(String.join(", ", awaited(run))).isEqualTo(orders);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void aRestartAsksOnceMoreForWhatIsAwaitedAndRecordsNothingOfIt(String state, RunKit run, String orders) {
        List<String> before = awaited(run);
        run.crash();

        assertThat(awaited(run)).isEqualTo(before);
        assertThat(asked(run)).isEqualTo(before.stream().filter(firstMerge()).toList());
        assertThat(run.types()).doesNotContain("workspace.merged", "item.finished", "run.ended");
    }

    /** Of merges only the first is requested. */
    private static Predicate<String> firstMerge() {
        AtomicBoolean merges = new AtomicBoolean();
        return order -> !order.startsWith("merge") || !merges.getAndSet(true);
    }

    @Test
    void aRunRestsAndEndsOnceTheWorktreesOfAttemptsThatAreOverAreGone() {
        RunKit paused = resting();
        assertThat(paused.status()).isEqualTo(RunStatus.RUNNING);
        assertThat(paused.crash().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(paused.dropped().status()).isEqualTo(RunStatus.PAUSED);

        RunKit stopped = ended(approved(each(), "a").merged("m1").stop());
        assertThat(stopped.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(asked(stopped.crash())).containsExactly("drop a.1");
        assertThat(stopped.dropped().status()).isEqualTo(RunStatus.STOPPED);

        RunKit completed = last().merged("m1");
        assertThat(completed.dropped().cleared().status()).isEqualTo(RunStatus.COMPLETED);
    }

    /** With all its steps ended by a stop. */
    private static RunKit ended(RunKit run) {
        while (!run.open().isEmpty()) {
            run.ends(run.open().get(0), StepEnd.by(ExitCause.STOPPED));
        }
        return run;
    }

    @Test
    void aPauseOrAnEndWithNoStepOpenWaitsForThemToo() {
        assertThat(stalled().pause().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(stalled().pause().dropped().status()).isEqualTo(RunStatus.PAUSED);
        assertThat(last().merged("m1").stop().status()).isEqualTo(RunStatus.STOPPING);
        assertThat(last().merged("m1").stop().dropped().status()).isEqualTo(RunStatus.STOPPED);
    }

    /** One item is rejected, the other waits for git: no step is open. */
    private static RunKit stalled() {
        return approved(each(), "a", "b")
                .ends("frames.c.dev.1", exit(0))
                .ends("frames.c.audit.1", APPROVED)
                .merged("m1");
    }

    @Test
    void aPauseComesTooLateForARunThatIsDone() {
        RunKit run = RunKit.started(ISOLATED + Manifests.phases("{name: plan, task: dev}"))
                .pause()
                .ends("dev", exit(0).committing("c1"));
        assertThat(asked(run)).containsExactly("finish");
        assertThat(run.pause().cleared().status()).isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aForcedStopDoesNotWaitForGit() {
        RunKit run = ended(approved(each(), "a").merged("m1").stop(StopCause.OPERATOR, true));
        assertThat(run.status()).isEqualTo(RunStatus.STOPPED);

        run.resume(Resume.plain());
        assertThat(asked(run)).containsExactly("drop a.1");
        assertThat(ended(last().merged("m1").stop().stop()).status()).isEqualTo(RunStatus.STOPPED);
    }

    @Test
    void reportsAnAttemptsWorktreeThatCannotBeRemovedAndContinues() {
        RunKit run = last().merged("m1")
                .git(RunCommand.DropWorktree.class, new GitResult.Failed(new GitFailure("read-only", false)));

        assertThat(run.lastEvent(Notice.class).cleared().flatMap(Notice.Cleared::kept))
                .contains(new KeptWorktree("worktrees/frames.a.1-4", "read-only"));
        assertThat(asked(run)).containsExactly("finish");
    }

    @Test
    void nothingOfARetriedIterationIsLaunchedBeforeItIsUndone() {
        RunKit run = retried(loop());
        assertThat(run.open()).isEmpty();
        assertThat(asked(run)).containsExactly("undo build.1.1 to base");

        run.git(RunCommand.UndoWork.class, new GitResult.Undone(Optional.of("refs/kept")));

        assertThat(run.open()).containsExactly("build.1.dev.2");
        assertThat(run.launched().worktree().orElseThrow().branch().head()).isEqualTo("base");
        assertThat(run.lastEvent(Notice.class).message()).contains("refs/kept");
        assertThat(awaited(run)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"refs/kept", "''"})
    void aRetriedIterationThatWaitsForAPermitIsUndoneOnce(String kept) {
        RunKit run = retried(loop()).guarded("dev");
        run.git(
                RunCommand.UndoWork.class,
                new GitResult.Undone(Optional.of(kept).filter(ref -> !ref.isEmpty())));
        assertThat(run.asked()).containsExactly("loop/build/1//0");

        run.permitted();

        assertThat(asked(run)).isEmpty();
        assertThat(run.open()).containsExactly("build.1.dev.2");
    }

    @Test
    void aRetriedAttemptThatWaitsForAPermitIsUndoneOnce() {
        RunKit run = each().ends("frames.a.dev.1", exit(0).committing("a1"))
                .ends("frames.a.audit.1", SILENT)
                .ends("frames.b.dev.1", exit(0))
                .ends("frames.c.dev.1", exit(0))
                .resume(Resume.with(ResumeAction.RETRY_ITERATION))
                .guarded("dev");
        run.git(RunCommand.UndoWork.class, new GitResult.Undone(Optional.of("refs/kept")));
        assertThat(run.asked()).hasSize(1);

        run.permitted();

        assertThat(asked(run)).isEmpty();
        assertThat(run.open()).contains("frames.a.dev.1-2");
    }

    @Test
    void mergesAreMadeOneAtATimeInTheOrderOfTheItems() {
        RunKit first = approved(each(), "b");
        assertThat(asked(first)).containsExactly("merge b1");
        assertThat(asked(approved(first, "c"))).doesNotContain("merge c1");

        RunKit fresh = approved(each(), "c", "b", "a");
        fresh.merged("m1");
        assertThat(asked(fresh)).containsExactly("drop a.1", "merge b1");
        fresh.dropped().merged("m2");
        assertThat(asked(fresh)).containsExactly("drop b.1", "merge c1");
        fresh.merged("m3").dropped();
        assertThat(asked(fresh)).containsExactly("finish");
        assertThat(fresh.cleared().status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(fresh.state().git().orElseThrow().head()).isEqualTo("m3");
    }

    @Test
    void aConflictRejectsTheAttemptAndTheNextKnowsIt() {
        RunKit run = approved(each(), "a", "b").merged("m1").dropped().conflicts("one.txt", "two words.txt");

        assertThat(run.lastEvent(WorkspaceMerged.class).merge().commit()).isEmpty();
        assertThat(run.lastEvent(ItemFinished.class).status()).isEqualTo(ItemStatus.PENDING);
        assertThat(run.commands(RunCommand.DropWorktree.class)).hasSize(1);
        RunCommand.Launch again = run.commands(RunCommand.Launch.class).get(0);
        assertThat(again.step().stepId()).isEqualTo("frames.b.dev.2");
        assertThat(again.step().worktree().orElseThrow().branch().base()).isEqualTo("m1");
        assertThat(again.step().toString()).contains("one.txt", "two words.txt");

        run.ends("frames.b.dev.2", exit(0)).ends("frames.b.audit.2", APPROVED).conflicts("one.txt");
        assertThat(run.lastEvent(ItemFinished.class).status()).isEqualTo(ItemStatus.REJECTED);
    }

    @Test
    void anAttemptAfterAConflictBeginsFromAnUnrecordedMerge() {
        RunKit run = approved(each(), "b");
        RunCommand.MergeItem order = run.asked(RunCommand.MergeItem.class);
        run.pause();
        while (!run.open().isEmpty()) {
            run.ends(run.open().get(0), run.open().get(0).contains("audit") ? APPROVED : exit(0));
        }
        assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
        GitResult merged =
                new GitResult.Merged(new Merge(Optional.of("m1"), "m1", List.of(), Changed.NOTHING, Changed.NOTHING));
        run.feed(new RunInput.GitDone(run.now(), order, merged));
        assertThat(run.types()).doesNotContain("workspace.merged");

        run.resume(Resume.plain()).ends("frames.a.audit.1", APPROVED).conflictsAt("m1", "one.txt");

        assertThat(run.lastEvent(WorkspaceMerged.class).item()).isEqualTo("a");
        RunCommand.Launch again = run.commands(RunCommand.Launch.class).get(0);
        assertThat(again.step().worktree().orElseThrow().branch().base()).isEqualTo("m1");
    }

    @Test
    void anItemThatChangedNothingIsApprovedWithoutAMerge() {
        RunKit run = approved(each(), "a")
                .git(
                        RunCommand.MergeItem.class,
                        new GitResult.Merged(
                                new Merge(Optional.empty(), "base", List.of(), Changed.NOTHING, Changed.NOTHING)));

        assertThat(run.types()).doesNotContain("workspace.merged");
        assertThat(run.lastEvent(ItemFinished.class).status()).isEqualTo(ItemStatus.APPROVED);
    }

    @Test
    void aResumeRepeatsAMergeThatEndedAfterTheStop() {
        RunKit run = approved(each(), "a");
        RunCommand.MergeItem order = run.asked(RunCommand.MergeItem.class);
        run.stop();
        GitResult merged =
                new GitResult.Merged(new Merge(Optional.of("m1"), "m1", List.of(), Changed.NOTHING, Changed.NOTHING));

        run.feed(new RunInput.GitDone(run.now(), order, merged));
        assertThat(run.types()).doesNotContain("workspace.merged", "item.finished");
        while (!run.open().isEmpty()) {
            run.ends(run.open().get(0), StepEnd.by(ExitCause.STOPPED));
        }
        assertThat(run.status()).isEqualTo(RunStatus.STOPPED);

        run.resume(Resume.plain());
        assertThat(asked(run)).containsExactly("merge a1");
    }

    @Test
    void aLimitLetsWhatIsApprovedBeMergedBeforeTheRunEnds() {
        RunKit run = RunKit.started("isolation: {git: worktree}\n"
                + "retry: {stopConditions: {maxConsecutiveFails: 1, maxRejectRate: 0, maxRetryRate: 0}}\n"
                + Manifests.each("{id: a}, {id: b}", "concurrency: 2"));
        run.ends("frames.b.dev.1", exit(0)).ends("frames.b.audit.1", REJECTED);
        var unused = approved(run, "a");

        assertThat(run.status()).isEqualTo(RunStatus.STOPPING);
        assertThat(asked(run)).containsExactly("drop b.1", "merge a1");
        assertThat(run.merged("m1").dropped().status()).isEqualTo(RunStatus.STOPPED);
        assertThat(run.state().git().orElseThrow().head()).isEqualTo("m1");
    }

    @Test
    void whatIsNotAwaitedAnyMoreChangesNothing() {
        RunKit run = approved(each(), "a", "b");
        RunCommand.MergeItem first = run.asked(RunCommand.MergeItem.class);
        run.merged("m1");
        var before = run.state();

        run.feed(new RunInput.GitDone(
                run.now(),
                first,
                new GitResult.Merged(new Merge(Optional.of("m1"), "m1", List.of(), Changed.NOTHING, Changed.NOTHING))));

        assertThat(run.state()).isEqualTo(before);
        assertThat(run.types()).isEmpty();
    }

    @Test
    void aWorktreeThatCannotBeRemovedKeepsTheWork() {
        RunKit failed = done().git(
                        RunCommand.FinishWorktree.class, new GitResult.Failed(new GitFailure("no space left", false)));
        RunKit dirty = done().git(
                        RunCommand.FinishWorktree.class,
                        new GitResult.Finished(Optional.of(new KeptWorktree("/w", "it is not clean"))));

        assertThat(failed.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(notices(failed)).contains("the worktree worktree stays: no space left");
        assertThat(dirty.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(notices(dirty)).contains("the worktree /w stays: it is not clean");
    }

    private static List<String> notices(RunKit run) {
        return run.history().stream()
                .filter(Notice.class::isInstance)
                .map(event -> ((Notice) event).message())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"undo", "merge"})
    void whatGitCannotDoEndsTheRunAndIsRequestedAgainByAResume(String kind) {
        boolean undo = kind.equals("undo");
        RunKit run = undo ? retried(loop()) : approved(each(), "a", "b", "c");
        List<String> before = awaited(run);

        run.git(
                undo ? RunCommand.UndoWork.class : RunCommand.MergeItem.class,
                new GitResult.Failed(new GitFailure("the disk is full", false)));

        assertThat(run.ended().reasonCode()).contains("infrastructure");
        assertThat(run.ended().summary()).contains("the disk is full");
        run.resume(Resume.plain().acknowledge());
        assertThat(awaited(run)).isEqualTo(before);
        assertThat(asked(run)).isEqualTo(before.stream().limit(1).toList());
    }

    /** Its item would be merged without it, and a run would complete without it. */
    @Test
    void aStepThatCouldNotBeCommittedIsLaunchedAgainByAResume() {
        GitFailure full = new GitFailure("no space left", false);
        RunKit items = each().ends("frames.a.dev.1", exit(0).committing("a1"))
                .ends("frames.a.audit.1", APPROVED.uncommitted(full))
                .ends("frames.b.dev.1", StepEnd.by(ExitCause.STOPPED))
                .ends("frames.c.dev.1", StepEnd.by(ExitCause.STOPPED));

        assertThat(items.ended().reasonCode()).contains("infrastructure");
        assertThat(awaited(items.resume(Resume.plain().acknowledge()))).isEmpty();
        assertThat(items.open()).contains("frames.a.audit.1-2");
        assertThat(awaited(items.ends("frames.a.audit.1-2", APPROVED.committing("a2"))))
                .containsExactly("merge a1");

        RunKit last = RunKit.started(ISOLATED + Manifests.phases("{name: only, task: dev}"))
                .ends("dev", exit(0).uncommitted(full))
                .resume(Resume.plain().acknowledge());
        assertThat(last.open()).containsExactly("only.dev.2");
        assertThat(awaited(last.ends("dev", exit(0).committing("c1")))).containsExactly("finish");
    }

    /** A person checks the worktree, and may say that it is well so. */
    @Test
    void aStepWhoseCommitWasRefusedForWhatItDidWaitsForAPerson() {
        RunKit run = each().ends("frames.a.dev.1", exit(0).committing("a1"))
                .ends("frames.a.audit.1", APPROVED.uncommitted(new GitFailure("the hook refused", true)));

        assertThat(awaited(run)).isEmpty();
        run.ends("frames.b.dev.1", exit(0)).ends("frames.c.dev.1", exit(0));
        assertThat(awaited(run.resume(Resume.with(ResumeAction.CONTINUE)))).containsExactly("merge a1");
    }

    @Test
    void theBranchesOfARunAreThoseThatItMakes() {
        assertThat(branches(Manifests.phases("{name: plan, task: dev}"))).isEmpty();
        assertThat(branches(ISOLATED + Manifests.phases("{name: plan, task: dev}")))
                .containsExactly("loopkeeper/r1");
        assertThat(branches(ISOLATED + Manifests.each("{id: a}", "concurrency: 1")))
                .containsExactly("loopkeeper/r1", "loopkeeper/items/r1/item");
    }

    private static List<String> branches(String yaml) {
        return WorktreeNames.branches(Manifests.read(Manifests.document(yaml)), "r1");
    }
}
