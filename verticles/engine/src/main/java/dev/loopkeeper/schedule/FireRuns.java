package dev.loopkeeper.schedule;

import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.ScheduleChannels;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.step.OneLine;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.submit.AllowedFolders;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.submit.Submissions;
import dev.loopkeeper.submit.SubmitOptions;
import dev.loopkeeper.view.RunOutline;
import dev.loopkeeper.view.ScheduleStatus;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The runs that fires begin and end.
 *
 * @param allowed where the runs may work
 */
record FireRuns(EventBus bus, EventStore store, Submissions submissions, AllowedFolders allowed) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TRANSIENT = 500;
    private static final int MOST_TEXT = 2000;

    /** Publishes a fire that began no run. */
    void failed(Fire fire) {
        ScheduleChannels.FAILED.publish(bus, fire);
    }

    /**
     * Returns the newest run of the schedule that has not ended. Its fire is the newest one that was tried, however many
     * were skipped since, or among the newest where an older run was resumed.
     */
    Future<Optional<String>> open(String schedule) {
        return store.newestTried(schedule)
                .compose(tried -> store.fires(schedule, ScheduleStatus.FIRES)
                        .map(newest -> Stream.concat(tried.stream(), newest.stream())
                                .flatMap(fire -> fire.runId().stream())
                                .collect(Collectors.toSet())))
                .compose(runs -> runs.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : store.runsAt(new RunSelection(runs, Set.of(), 0), Optional.empty())
                                .map(found -> found.runs().stream()
                                        .map(run -> run.row())
                                        .filter(FireRuns::isOpen)
                                        .findFirst()
                                        .map(RunRow::runId)));
    }

    private static boolean isOpen(RunRow row) {
        return row.outline()
                .map(RunOutline::status)
                .filter(status -> !status.isEnded())
                .isPresent();
    }

    /** Returns the fire with its run, or why it began none. Fails if that is not known yet. */
    Future<Fire> start(Schedule schedule, Fire fire) {
        Map<String, String> vars = new HashMap<>(schedule.vars());
        vars.putAll(fire.vars());
        return submissions
                .fromFile(Path.of(schedule.manifest()), new SubmitOptions(schedule.workspace(), vars, Map.of()))
                .compose(checked -> checked instanceof Submission.Accepted ready
                        ? allowed.refusal(ready.workspace())
                                .map(why -> Future.succeededFuture(failed(fire, why)))
                                .orElseGet(() -> start(fire, ready))
                        : Future.succeededFuture(refused(fire, (Submission.Refused) checked, schedule)));
    }

    private static Fire refused(Fire fire, Submission.Refused refused, Schedule schedule) {
        String problems = refused.problems().stream()
                .map(problem -> problem.text(schedule.manifest()))
                .collect(Collectors.joining("; "));
        return failed(fire, problems);
    }

    private static Fire failed(Fire fire, String why) {
        return fire.with(Outcome.FAILED, OneLine.of(why, MOST_TEXT));
    }

    private Future<Fire> start(Fire fire, Submission.Accepted ready) {
        StartRun command = new StartRun(
                Optional.empty(),
                ready.document(),
                ready.workspace(),
                ready.baseDir(),
                true,
                Optional.of(fire.run().runKey()),
                ready.file(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                fire.run().requester(),
                Optional.of(fire.run()));
        return RunChannels.START
                .ask(bus, command, PATIENCE)
                .compose(answer -> transientFailure(answer)
                        .<Future<Fire>>map(Future::failedFuture)
                        .orElseGet(() -> Future.succeededFuture(answer.refusal()
                                .map(refusal -> failed(fire, refusal.message()))
                                .orElseGet(() -> fire.started(answer.document()
                                        .orElseThrow()
                                        .path("runId")
                                        .asText())))));
    }

    /** Requests the stop of a run that a fire replaces. */
    Future<Void> stop(String runId, Fire fire) {
        String by = fire.run().requester();
        return RunChannels.STOP
                .ask(bus, new StopRun(runId, Optional.of(by + " begins its next run"), false, by), PATIENCE)
                .compose(answer -> transientFailure(answer)
                        .<Future<Void>>map(Future::failedFuture)
                        .orElseGet(Future::succeededFuture));
    }

    private static Optional<String> transientFailure(RunAnswer answer) {
        return answer.refusal()
                .filter(refusal -> refusal.code().status() >= TRANSIENT)
                .map(refusal -> refusal.message());
    }
}
