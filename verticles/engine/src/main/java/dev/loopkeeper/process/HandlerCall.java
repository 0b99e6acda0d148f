package dev.loopkeeper.process;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.StepUsed;
import dev.loopkeeper.handler.StepContext;
import dev.loopkeeper.step.ContextText;
import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepIdentity;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a handler, and what it reports until the call is closed. Thread-safe. */
final class HandlerCall implements StepContext {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerCall.class);
    /** A handler whose event loop does not answer for so long is named. */
    private static final long BLOCKING_MILLIS = 1_000;
    /** Not a timer of Vert.x, whose event loop may be the blocked one. */
    private static final Executor LATER = CompletableFuture.delayedExecutor(BLOCKING_MILLIS, TimeUnit.MILLISECONDS);
    /** Vert.x gives event loops in turn. */
    private static final int HOSTS = 2;

    private final SupervisorContext around;
    private final StepSpec spec;
    private final Path contextFile;
    private final HandlerLog log;
    private final Promise<Void> cancelled = Promise.promise();
    private Usage usage = Usage.UNKNOWN;
    private volatile boolean closed;

    HandlerCall(SupervisorContext around, StepSpec spec, StepFolder folder) {
        this.around = around;
        this.spec = spec;
        this.contextFile = folder.context();
        this.log = new HandlerLog(around, folder.stdout());
    }

    /** Calls the handler in a context of its own; completes with its signal on the supervisor's. */
    Future<JsonNode> begin(Function<StepContext, Future<JsonNode>> handler) {
        Promise<JsonNode> done = Promise.promise();
        host(() -> call(handler, done), done, Thread.currentThread(), HOSTS);
        return new HomeContext(around.context()).bring(done.future());
    }

    /** Runs the work in a new context, on another event loop than the supervisor's if Vert.x has another. */
    private void host(Runnable work, Promise<JsonNode> done, Thread supervisor, int tries) {
        Host host = new Host();
        around.vertx()
                .deployVerticle(host)
                .onComplete(
                        id -> host.run(() -> {
                            if (Thread.currentThread() == supervisor && tries > 1) {
                                end(id);
                                // From the supervisor's context: what a host deploys ends with that host.
                                new HomeContext(around.context()).run(() -> host(work, done, supervisor, tries - 1));
                            } else {
                                done.future().onComplete(over -> end(id));
                                watch(host, Thread.currentThread(), done.future());
                                work.run();
                            }
                        }),
                        done::fail);
    }

    private void end(String host) {
        around.vertx().undeploy(host).onFailure(ended -> LOG.debug("the host of a handler has ended before", ended));
    }

    /** Has the context of one call, and all that the handler registers there. */
    private static final class Host extends VerticleBase {
        void run(Runnable work) {
            new HomeContext(context).run(work);
        }
    }

    private void call(Function<StepContext, Future<JsonNode>> handler, Promise<JsonNode> done) {
        try {
            handler.apply(this).onComplete(done);
        } catch (Throwable thrown) {
            done.fail(thrown);
        }
    }

    /** Names the handler once if it blocks its event loop, at its call or in a later callback. */
    private void watch(Host host, Thread loop, Future<JsonNode> done) {
        AtomicBoolean answered = new AtomicBoolean();
        host.run(() -> answered.set(true));
        LATER.execute(() -> {
            if (closed || done.isComplete()) {
                return;
            }
            if (answered.get()) {
                watch(host, loop, done);
            } else {
                name(loop);
            }
        });
    }

    private void name(Thread loop) {
        Throwable blocked = new Throwable("what the event loop does");
        blocked.setStackTrace(loop.getStackTrace());
        LOG.warn(
                "the event loop of the handler of agent \"{}\" has been blocked for {} ms in step {} of {};"
                        + " if the handler blocks it, wrap it in Handlers.blocking",
                spec.identity().agent(),
                BLOCKING_MILLIS,
                spec.stepId(),
                spec.runId(),
                blocked);
    }

    void cancel() {
        cancelled.tryComplete();
    }

    /** Ignores what it reports from now on. */
    void close() {
        closed = true;
    }

    /** Completes when all that was said is written. */
    Future<Void> flush() {
        return log.flush();
    }

    synchronized Usage usage() {
        return usage;
    }

    @Override
    public StepIdentity step() {
        return spec.identity();
    }

    @Override
    public int execution() {
        return spec.execution();
    }

    @Override
    public Path workspace() {
        return Path.of(spec.workspace());
    }

    @Override
    public Map<String, String> vars() {
        return spec.vars();
    }

    @Override
    public String feedback() {
        return spec.feedback();
    }

    @Override
    public LaunchContext context() {
        return spec.context();
    }

    @Override
    public String contextText() {
        return ContextText.block(context(), contextFile.toString());
    }

    @Override
    public TraceContext trace() {
        return spec.trace();
    }

    @Override
    public Future<Void> cancelled() {
        return cancelled.future();
    }

    @Override
    public void report(Usage used) {
        if (!closed) {
            StepUsed total = new StepUsed(spec.runId(), spec.stepId(), add(used));
            around.context()
                    .runOnContext(
                            now -> ProcessChannels.USED.publish(around.vertx().eventBus(), total));
        }
    }

    private synchronized Usage add(Usage used) {
        usage = usage.plus(used);
        return usage;
    }

    @Override
    public void say(String text) {
        if (!closed) {
            log.say(text);
        }
    }
}
