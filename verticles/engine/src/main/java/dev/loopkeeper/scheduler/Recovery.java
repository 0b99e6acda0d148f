package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.view.RunOutline;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Recovers every open run of an earlier runtime and logs the result in one line. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int PAGE = 500;

    private final EventStore store;
    private final LoopScheduler scheduler;
    private final LostEvents lostEvents;
    private final PendingSummaries summaries;
    private final RecoveryReport report = new RecoveryReport();
    private final Set<String> known = new HashSet<>();
    private final List<Future<Optional<StepLaunched>>> steps = new ArrayList<>();

    Recovery(EventStore store, LoopScheduler scheduler, LostEvents lostEvents, PendingSummaries summaries) {
        this.store = store;
        this.scheduler = scheduler;
        this.lostEvents = lostEvents;
        this.summaries = summaries;
    }

    /**
     * Recovers the runs before any request is accepted, page by page, so that each request is answered in time. An
     * unreadable run does not affect the others.
     */
    Future<Void> run() {
        return page(Optional.empty())
                .eventually(() -> lostEvents.unknown(known).map(report::lost))
                .onSuccess(all -> {
                    scheduler.capacity().open();
                    summaries.write();
                    logReport();
                });
    }

    private Future<Void> page(Optional<String> cursor) {
        return store.list(new RunQuery(RunStatus.OPEN, PAGE, cursor))
                .compose(page -> takeUp(page.runs())
                        .compose(taken ->
                                page.nextCursor().isPresent() ? page(page.nextCursor()) : Future.succeededFuture()));
    }

    private Future<Void> takeUp(List<RunRow> rows) {
        rows.forEach(row -> known.add(row.runId()));
        List<RunRow> own = rows.stream()
                .filter(row -> scheduler.actors().executes(row.runId()))
                .toList();
        return lostEvents
                .count(own)
                .map(report::lost)
                .compose(counted -> summaries.find(own))
                .compose(found -> Future.join(own.stream().map(this::takeUp).toList()))
                .mapEmpty();
    }

    /** Recovers one run. A run that waits for a person stays in the store, since it has no work in progress. */
    private Future<Void> takeUp(RunRow row) {
        if (row.outline().filter(RunOutline::waitsForPerson).isPresent()) {
            report.run(RunStatus.PAUSED);
            return Future.succeededFuture();
        }
        return scheduler
                .intake()
                .recover(row.runId())
                .<Void>map(found -> {
                    found.ifPresent(this::note);
                    return null;
                })
                .recover(cause -> {
                    scheduler.intake().recoveryFailed(row.runId(), false, cause);
                    report.unreadable();
                    summaries.exclude(row.runId());
                    return Future.succeededFuture();
                });
    }

    private void note(Decision decision) {
        report.run(decision.state().status());
        summaries.exclude(decision.state().runId(), decision.state().steps().keySet());
        for (RunCommand command : decision.commands()) {
            if (command instanceof RunCommand.Launch launch && launch.recovered()) {
                steps.add(scheduler
                        .steps()
                        .launching(launch.step().runId(), launch.step().stepId()));
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
