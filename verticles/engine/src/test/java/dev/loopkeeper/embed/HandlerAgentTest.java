package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.handler.Handlers;
import dev.loopkeeper.handler.StepHandler;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.FailureKind;
import dev.loopkeeper.verdict.Signal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HandlerAgentTest extends AgentContract {
    private static final String TASK = "phases: [{name: a, task: dev}]";

    @Override
    String entry(String name, String script, StepHandler handler, String more) {
        options = options.handler(name, handler);
        return "handler: " + name + (more.isEmpty() ? "" : ", " + more);
    }

    private void handler(StepHandler handler) throws IOException {
        agent("dev", "", handler);
    }

    private JsonNode result(JsonNode run) throws IOException {
        return steps(run).get(0).path("result");
    }

    @Test
    void aHandlerKnowsItsStep() throws IOException {
        AtomicReference<String> known = new AtomicReference<>();
        AtomicReference<Context> context = new AtomicReference<>();
        handler(step -> {
            context.set(Vertx.currentContext());
            known.set(step.step().stepId() + " " + step.execution() + " " + step.workspace() + " " + step.vars() + " "
                    + step.trace().traceparent().length());
            return Future.succeededFuture(Signal.completed());
        });

        JsonNode run = ended("vars: {TARGET: main}\n" + TASK);

        assertThat(run.path("status").asText()).isEqualTo("completed");
        assertThat(known.get()).isEqualTo("a.dev.1 1 " + workspace() + " {TARGET=main} 55");
        Path kept = folder.resolve("data/runs/" + run.path("runId").asText() + "/steps/a.dev.1/signal.json");
        assertThat(kept).content().contains("completed");
        assertThat(context.get()).isNotNull();
        assertThat(context.get().isEventLoopContext()).isTrue();
    }

    /** The signal file of a step must not be touched once the next step of the same agent uses its path. */
    @Test
    void manyQuickStepsOfOneHandlerKeepTheirSignals() throws IOException {
        handler(step -> Future.succeededFuture(
                step.step().stepId().startsWith("build.20.") ? Signal.success() : Signal.progress()));

        JsonNode run = ended("phases: [{name: build, loop: {steps: [dev], maxIterations: 20, noProgress: 0}}]");

        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        assertThat(steps(run)).hasSize(20);
    }

    @Test
    void aStopNamesAHandlerThatDoesNotEndAndIgnoresWhatItSaysLater() throws IOException {
        Promise<Signal> never = Promise.promise();
        CountDownLatch begun = new CountDownLatch(1);
        agent(
                "dev",
                "",
                step -> {
                    begun.countDown();
                    return never.future();
                },
                "stop: {grace: 100ms}");
        String runId = keeper().start(manifest(TASK));
        Awaitility.await().until(() -> begun.getCount() == 0);

        keeper().stop(runId, false);
        JsonNode paused = keeper().until(runId, "paused");

        assertThat(paused.path("pause").path("reason").asText()).isEqualTo("survivors");
        assertThat(paused.path("pause").path("message").asText()).contains("handler dev of step a.dev.1");
        never.complete(Signal.completed());
        assertThat(keeper().steps(runId).get(0).path("result").path("status").asText())
                .isEqualTo("cancelled");
        keeper().stop(runId, false);
        assertThat(keeper().until(runId, "stopped")
                        .path("termination")
                        .path("subtype")
                        .asText())
                .isEqualTo("error_operator_stop");
    }

    @Test
    void aCloseCancelsAHandlerThatIsLaunchedAgainLater() throws IOException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Queue<FailureKind> failures = new ArrayDeque<>();
        handler(step -> {
            step.context().failure().ifPresent(failure -> failures.add(failure.kind()));
            if (!failures.isEmpty()) {
                return Future.succeededFuture(Signal.completed());
            }
            begun.countDown();
            return step.cancelled().map(ends -> {
                cancelled.countDown();
                return Signal.completed();
            });
        });
        String runId = keeper().start(manifest(TASK));
        Awaitility.await().until(() -> begun.getCount() == 0);

        restart();

        assertThat(cancelled.getCount()).isZero();
        assertThat(keeper().until(runId, "completed").path("status").asText()).isEqualTo("completed");
        assertThat(failures).containsExactly(FailureKind.INTERRUPTED);
        assertThat(keeper().steps(runId)).hasSize(2);
    }

    @Test
    void theEmbedderClassifiesAnExceptionOfItsOwn() throws IOException {
        options = LoopkeeperOptions.of(folder.resolve("data"))
                .errors(failure ->
                        failure instanceof IOException ? Optional.of(ErrorCategory.PROVIDER) : Optional.empty());
        Queue<Throwable> failures = new ArrayDeque<>();
        failures.add(new IOException("the model sleeps"));
        handler(step -> failures.isEmpty()
                ? Future.succeededFuture(Signal.completed())
                : Future.failedFuture(failures.remove()));

        JsonNode run = ended(TASK);

        assertThat(run.path("status").asText()).isEqualTo("completed");
        assertThat(result(run).path("errorContext").path("category").asText()).isEqualTo("provider");
        assertThat(result(run).path("errorContext").path("message").asText()).contains("the model sleeps");
    }

    @Test
    void aBlockingHandlerHasAThreadThatAStopInterrupts() throws IOException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        handler(Handlers.blocking(step -> {
            begun.countDown();
            never.await();
            return Signal.completed();
        }));
        String runId = keeper().start(manifest(TASK));
        Awaitility.await().until(() -> begun.getCount() == 0);

        keeper().stop(runId, false);

        assertThat(keeper().until(runId, "stopped")
                        .path("termination")
                        .path("subtype")
                        .asText())
                .isEqualTo("error_operator_stop");
    }

    @Test
    void aHandlerThatBlocksItsEventLoopIsNamedInTheLog() throws IOException {
        assertNamed(logged -> step -> blockUntilNamed(logged));
    }

    @Test
    void aHandlerThatBlocksItsEventLoopInALaterCallbackIsNamedInTheLog() throws IOException {
        assertNamed(
                logged -> step -> Vertx.currentContext().owner().timer(1).compose(later -> blockUntilNamed(logged)));
    }

    private static Future<Signal> blockUntilNamed(ListAppender<ILoggingEvent> logged) {
        Awaitility.await().pollInSameThread().until(() -> !logged.list.isEmpty());
        return Future.succeededFuture(Signal.completed());
    }

    private void assertNamed(Function<ListAppender<ILoggingEvent>, StepHandler> blocking) throws IOException {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.loopkeeper.process.HandlerCall");
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        handler(blocking.apply(logged));

        JsonNode run = ended(TASK);

        logger.detachAppender(logged);
        assertThat(run.path("status").asText()).isEqualTo("completed");
        assertThat(logged.list).singleElement().satisfies(event -> {
            assertThat(event.getFormattedMessage()).contains("agent \"dev\"", "a.dev.1", "Handlers.blocking");
            assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
                    .anySatisfy(
                            frame -> assertThat(frame.getSTEAsString()).contains("HandlerAgentTest.blockUntilNamed"));
        });
    }

    @Test
    void aNameThatIsNotRegisteredIsAnInvalidManifest() throws IOException {
        handler(says(Signal.completed()));
        String manifest = "name: one\nagents: {dev: {handler: def}}\n" + TASK;

        assertThatThrownBy(() -> Keeper.await(
                        keeper().loopkeeper().submit(manifest, RunOptions.DEFAULTS.workspace(workspace()))))
                .isInstanceOf(InvalidManifestException.class)
                .hasMessageContaining("no handler is registered as \"def\"")
                .hasMessageContaining("dev");
    }

    @Test
    void aHandlerOnTheEventBusRepliesWithASignal() throws IOException {
        handler(says(Signal.completed()));
        AtomicReference<JsonObject> asked = new AtomicReference<>();
        keeper().vertx().eventBus().<JsonObject>consumer("reviews", request -> {
            asked.set(request.body());
            request.reply(new JsonObject().put("verdict", "approved"));
        });

        JsonNode run = onTheBus("");

        assertThat(run.path("status").asText()).isEqualTo("completed");
        assertThat(asked.get().getString("stepId")).isEqualTo("a.dev.1");
        assertThat(asked.get().getString("workspace")).isEqualTo(workspace().toString());
        assertThat(asked.get().getJsonObject("context").getString("runId"))
                .isEqualTo(run.path("runId").asText());
    }

    @Test
    void anAddressWithoutAListenerIsASessionThatFailedUntilThereIsOne() throws IOException {
        handler(says(Signal.completed()));

        JsonNode run = onTheBus("retry: {transient: {max: 1}, backoff: {initial: 1ms, max: 1ms}}\n");

        assertThat(run.path("pause").path("reason").asText()).isEqualTo("provider_unavailable");
        assertThat(result(run).path("errorContext").path("category").asText()).isEqualTo("session-failed");
        assertThat(result(run).path("errorContext").path("isTransient").asBoolean())
                .isTrue();
        assertThat(result(run).path("errorContext").path("message").asText())
                .isEqualTo("the handler at address \"reviews\" of the event bus is not there; start it");
        assertThat(steps(run)).hasSize(2);
    }

    @Test
    void anInvalidReplyIsAMissingSignal() throws IOException {
        handler(says(Signal.completed()));
        keeper().vertx().eventBus().consumer("reviews", request -> request.reply(new JsonObject().put("verdict", "x")));

        JsonNode run = onTheBus("");

        assertThat(run.path("pause").path("reason").asText()).isEqualTo("missing_signals");
        assertThat(run.path("pause").path("detail").asText()).isEqualTo("schema_invalid");
    }

    private JsonNode onTheBus(String settings) throws IOException {
        String runId = keeper().start(settings + "name: one\nagents: {dev: {handler: {address: reviews}}}\n" + TASK);
        return keeper().until(runId, "completed", "failed", "paused");
    }
}
