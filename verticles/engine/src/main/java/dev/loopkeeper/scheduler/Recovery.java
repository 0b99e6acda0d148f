package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.process.StepLaunched;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunCommand;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunQuery;
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

/** Takes up every open run of an earlier runtime, and says in one line what was found. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int PAGE = 500;

    private final EventStore store;
    private final LoopScheduler scheduler;
    private final LostEvents lostEvents;
    private final RecoveryReport report = new RecoveryReport();
    private final Set<String> known = new HashSet<>();
    private final List<Future<Optional<StepLaunched>>> steps = new ArrayList<>();

    Recovery(EventStore store, LoopScheduler scheduler, LostEvents lostEvents) {
        this.store = store;
        this.scheduler = scheduler;
        this.lostEvents = lostEvents;
    }

    /**
     * Before anything is accepted, and page by page: so many runs at once that each is answered in time. A run that
     * cannot be read harms no other.
     */
    Future<Void> run() {
        return page(Optional.empty())
                .eventually(() -> lostEvents.unknown(known).map(report::lost))
                .onSuccess(all -> {
                    scheduler.places().open();
                    tell();
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
                .filter(row -> scheduler.actors().carriesOut(row.runId()))
                .toList();
        return lostEvents
                .count(own)
                .map(report::lost)
                .compose(counted -> Future.join(own.stream().map(this::takeUp).toList()))
                .mapEmpty();
    }

    /** What waits for a person is left in the store: nothing of it is under way. */
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
                    scheduler.intake().notTakenUp(row.runId(), false, cause);
                    report.unreadable();
                    return Future.succeededFuture();
                });
    }

    private void note(Decision decision) {
        report.run(decision.state().status());
        for (RunCommand command : decision.commands()) {
            if (command instanceof RunCommand.Launch launch && launch.recovered()) {
                steps.add(scheduler
                        .steps()
                        .launching(launch.step().runId(), launch.step().stepId()));
            }
        }
    }

    /** The steps are looked at while work is accepted already. */
    private void tell() {
        if (report.nothingFound()) {
            return;
        }
        Future.join(steps).onComplete(all -> {
            steps.forEach(step -> report.step(step.succeeded() ? step.result() : Optional.empty()));
            LOG.info("{}", report.line());
        });
    }
}
