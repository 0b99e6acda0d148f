package dev.loopkeeper.process;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.eventbus.EventBus;
import java.util.function.UnaryOperator;

/** Puts {@link ProcessSupervisor} on the event bus. */
public final class ProcessSupervisorVerticle extends VerticleBase {
    private final SupervisorOptions options;
    private final PromptRenderer prompts;
    private final UnaryOperator<String> normalise;
    private WorkerExecutor workers;
    private ProcessSupervisor supervisor;

    /** @param normalise takes out of stdout what differs between two iterations alike, before it is digested */
    public ProcessSupervisorVerticle(
            SupervisorOptions options, PromptRenderer prompts, UnaryOperator<String> normalise) {
        this.options = options;
        this.prompts = prompts;
        this.normalise = normalise;
    }

    @Override
    public Future<?> start() {
        workers = vertx.createSharedWorkerExecutor("loopkeeper-processes", options.workers());
        return workers.executeBlocking(() -> Surroundings.of(vertx, context, workers, options))
                .compose(this::serve);
    }

    private Future<?> serve(Surroundings around) {
        EventBus bus = vertx.eventBus();
        supervisor = new ProcessSupervisor(
                around, prompts, normalise, exited -> ProcessChannels.EXITED.publish(bus, exited));
        return Future.all(
                Future.all(
                        ProcessChannels.LAUNCH.serve(
                                bus,
                                supervisor::launch,
                                (asked, launched) -> ProcessChannels.LAUNCHED.publish(bus, launched)),
                        ProcessChannels.STOP.serve(bus, supervisor::stop),
                        ProcessChannels.KILL.serve(bus, supervisor::kill)),
                Future.all(
                        ProcessChannels.LIST.serve(bus, asked -> Future.succeededFuture(supervisor.list(asked))),
                        ProcessChannels.REAP.serve(bus, supervisor::reap),
                        ProcessChannels.STOP_ALL.serve(bus, supervisor::stopAll)));
    }

    /** Agents that may outlive the runtime live on; the others are ended. */
    @Override
    public Future<?> stop() {
        return supervisor.stopAll(new StopAll(true, false)).eventually(workers::close);
    }
}
