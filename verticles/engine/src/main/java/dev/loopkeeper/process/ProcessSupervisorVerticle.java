package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StopAll;
import dev.loopkeeper.data.SmallFiles;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoreChannels;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.work.LibC;
import dev.loopkeeper.work.Workers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts {@link ProcessSupervisor} on the event bus. */
public final class ProcessSupervisorVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessSupervisorVerticle.class);
    private static final long LOGS_EVERY_MILLIS = 1000;

    private final SupervisorOptions options;
    private final UnaryOperator<String> normalise;
    private final SmallFiles files;
    private WorkerExecutor workers;
    private ProcessSupervisor supervisor;

    /** @param normalise removes from stdout what differs between equal iterations, before its digest */
    public ProcessSupervisorVerticle(SupervisorOptions options, UnaryOperator<String> normalise) {
        this(options, normalise, SmallFiles.REAL);
    }

    public ProcessSupervisorVerticle(SupervisorOptions options, UnaryOperator<String> normalise, SmallFiles files) {
        this.options = options;
        this.normalise = normalise;
        this.files = files;
    }

    @Override
    public Future<?> start() {
        workers = Workers.of(vertx, "loopkeeper-processes", options.workers());
        return workers.executeBlocking(() -> {
                    // Now: a class that once could not be loaded, for want of a descriptor, cannot be used later.
                    LibC unused = LibC.get();
                    return SupervisorContext.of(vertx, context, workers, options, files);
                })
                .compose(this::serve);
    }

    private Future<?> serve(SupervisorContext around) {
        EventBus bus = vertx.eventBus();
        supervisor = new ProcessSupervisor(around, normalise, exited -> ProcessChannels.EXITED.publish(bus, exited));
        vertx.setPeriodic(LOGS_EVERY_MILLIS, tick -> supervisor.holdLogs().onFailure(this::notHeld));
        Future<Void> ends =
                StoreChannels.eventsOf("step.finished").listen(bus, this::over).completion();
        return Future.all(
                Future.all(
                        ProcessChannels.LAUNCH.serve(
                                bus,
                                supervisor::launch,
                                (asked, launched) -> ProcessChannels.LAUNCHED.publish(bus, launched)),
                        ProcessChannels.STOP.serve(bus, supervisor::stop),
                        ProcessChannels.SWEEP.serve(bus, supervisor::sweep),
                        ProcessChannels.KILL.serve(bus, supervisor::kill)),
                Future.all(
                        ProcessChannels.LIST.serve(bus, supervisor::list),
                        ProcessChannels.REAP.serve(bus, supervisor::reap),
                        ProcessChannels.CONFINE.serve(bus, supervisor::confine),
                        ProcessChannels.STOP_ALL.serve(bus, supervisor::stopAll)),
                ends);
    }

    /** A failure only costs disk space. */
    private void over(PositionedEvent finished) {
        StoredEvent event = finished.event();
        String stepId = event.data().path("stepId").asText();
        supervisor
                .tidy(event.runId(), stepId)
                .onFailure(cause ->
                        LOG.debug("notes of step {}/{} were not removed: {}", event.runId(), stepId, cause.toString()));
    }

    private void notHeld(Throwable cause) {
        LOG.warn("logs could not be checked: {}", cause.toString());
    }

    /** Agents that may outlive the runtime live on; the others are ended. */
    @Override
    public Future<?> stop() {
        return supervisor.stopAll(new StopAll(true, false)).eventually(workers::close);
    }
}
