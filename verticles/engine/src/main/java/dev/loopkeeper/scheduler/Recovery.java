package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.view.RunOutline;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recovers every open run of an earlier runtime and logs the result in one line. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int PAGE = 500;
    /** In events over all runs; far more than become durable while the files of an ended run are written. */
    private static final int LOOK_BACK = 2_000;

    private final EventStore store;
    private final Scheduler scheduler;
    private final StaleProjections projections;
    private final RecoveryReport report = new RecoveryReport();
    /** Runs whose projection is written again. */
    private final List<String> stale = new ArrayList<>();

    private final List<Future<Optional<StepLaunched>>> steps = new ArrayList<>();

    Recovery(Scheduler scheduler, StaleProjections projections) {
        this.store = scheduler.store;
        this.scheduler = scheduler;
        this.projections = projections;
    }

    /**
     * Recovers the runs before any request is accepted, page by page, so that each request is answered in time. An
     * unreadable run does not affect the others.
     */
    Future<Void> run() {
        return page(Optional.empty())
                .compose(open -> ended())
                .compose(taken -> project())
                .onSuccess(all -> {
                    scheduler.capacity.open();
                    logReport();
                });
    }

    private Future<Void> page(Optional<String> cursor) {
        return store.list(new RunQuery(RunStatus.OPEN, PAGE, cursor))
                .compose(page -> recover(page.runs())
                        .compose(taken ->
                                page.nextCursor().isPresent() ? page(page.nextCursor()) : Future.succeededFuture()));
    }

    private Future<Void> recover(List<RunRow> rows) {
        List<RunRow> own = rows.stream()
                .filter(row -> scheduler.actors.executes(row.runId()))
                .toList();
        return files(own)
                .compose(found -> Future.join(own.stream().map(this::recover).toList()))
                .mapEmpty();
    }

    /** Finds which projections of these runs the earlier runtime did not complete. */
    private Future<Void> files(List<RunRow> runs) {
        return projections.among(runs).onSuccess(stale::addAll).mapEmpty();
    }

    /** A runtime that was killed just after the end of a run has not completed its files. Checks the newest ends only. */
    private Future<Void> ended() {
        return store.lastPosition()
                .compose(last -> store.endedAfter(last - LOOK_BACK))
                .compose(ids -> Future.join(ids.stream().map(this::ended).toList()))
                .compose(rows -> projections.withFolder(rows.<Optional<RunRow>>list().stream()
                        .flatMap(Optional::stream)
                        .toList()))
                .compose(this::files);
    }

    /** Empty where the run was resumed or removed since, or cannot be read. */
    private Future<Optional<RunRow>> ended(String runId) {
        return store.find(runId)
                .map(found -> found.filter(row -> RunStatus.ENDED.contains(row.status())))
                .otherwise(Optional.empty());
    }

    private Future<Void> project() {
        return Future.join(stale.stream().map(scheduler.actors::project).toList())
                .mapEmpty();
    }

    /** Recovers one run. A run that waits for a person stays in the store, since it has no work in progress. */
    private Future<Void> recover(RunRow row) {
        if (row.outline().filter(RunOutline::waitsForPerson).isPresent()) {
            report.run(RunStatus.PAUSED);
            return Future.succeededFuture();
        }
        return scheduler
                .intake
                .recover(row.runId())
                .<Void>map(found -> {
                    found.ifPresent(this::note);
                    return null;
                })
                .recover(cause -> {
                    scheduler.intake.recoveryFailed(row.runId(), false, cause);
                    report.unreadable();
                    return Future.succeededFuture();
                });
    }

    private void note(Decision decision) {
        report.run(decision.state().status());
        for (RunCommand command : decision.commands()) {
            if (command instanceof RunCommand.Launch launch && launch.recovered()) {
                steps.add(scheduler.steps.launching(
                        launch.step().runId(), launch.step().stepId()));
            }
        }
    }

    /** Logs the report once the steps are checked; requests are accepted in the meantime. */
    private void logReport() {
        if (report.nothingFound()) {
            return;
        }
        Future.join(steps).onComplete(all -> {
            steps.forEach(step -> report.step(step.succeeded() ? step.result() : Optional.empty()));
            LOG.info("{}", report.line());
        });
    }
}
