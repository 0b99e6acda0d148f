package dev.loopkeeper.scheduler;

import dev.loopkeeper.process.StepLaunched;
import dev.loopkeeper.run.Decision;
import dev.loopkeeper.run.RunCommand;
import dev.loopkeeper.store.RunPage;
import dev.loopkeeper.store.RunQuery;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes up every open run of an earlier runtime, and says in one line what was found. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final Set<String> OPEN = Set.of("queued", "running", "waiting", "paused", "stopping");
    private static final int PAGE = 500;

    private final EventBus bus;
    private final LoopScheduler scheduler;
    private final LostEvents lostEvents;
    private final RecoveryReport report = new RecoveryReport();

    Recovery(EventBus bus, LoopScheduler scheduler, LostEvents lostEvents) {
        this.bus = bus;
        this.scheduler = scheduler;
        this.lostEvents = lostEvents;
    }

    /** In one pass, before anything is accepted. A run that cannot be read harms no other. */
    Future<Void> run() {
        return openRuns(Optional.empty(), new ArrayList<>()).compose(rows -> {
            List<Future<Optional<StepLaunched>>> steps = new ArrayList<>();
            List<Future<Void>> recoveries =
                    rows.stream().map(row -> recover(row.runId(), steps)).toList();
            return Future.join(recoveries)
                    .eventually(() -> lostEvents.count(rows).map(report::lost))
                    .onSuccess(all -> {
                        scheduler.places().open();
                        tell(steps);
                    })
                    .mapEmpty();
        });
    }

    private Future<Void> recover(String runId, List<Future<Optional<StepLaunched>>> steps) {
        return scheduler
                .recover(runId)
                .<Void>map(found -> {
                    found.ifPresent(decision -> note(decision, steps));
                    return null;
                })
                .recover(cause -> {
                    LOG.error("run {} cannot be taken up", runId, cause);
                    report.unreadable();
                    return Future.succeededFuture();
                });
    }

    private void note(Decision decision, List<Future<Optional<StepLaunched>>> steps) {
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
    private void tell(List<Future<Optional<StepLaunched>>> steps) {
        if (report.nothingFound()) {
            return;
        }
        Future.join(steps).onComplete(all -> {
            steps.forEach(step -> report.step(step.succeeded() ? step.result() : Optional.empty()));
            LOG.info("{}", report.line());
        });
    }

    private Future<List<RunRow>> openRuns(Optional<String> cursor, List<RunRow> found) {
        return StoreChannels.LIST
                .ask(bus, new RunQuery(OPEN, PAGE, cursor), RunJournal.PATIENCE)
                .compose(page -> next(page, found));
    }

    private Future<List<RunRow>> next(RunPage page, List<RunRow> found) {
        found.addAll(page.runs());
        return page.nextCursor().isEmpty() ? Future.succeededFuture(found) : openRuns(page.nextCursor(), found);
    }
}
