package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.handler.StepHandler;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.verdict.Signal;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for every agent, whether it is a process or Java. */
abstract class AgentContract {
    static final String SIGNALS = "\"$LOOPKEEPER_SIGNAL\" ";
    private static final Usage USED =
            new Usage(OptionalDouble.of(2), OptionalLong.of(10), OptionalLong.of(5), OptionalLong.of(1));

    @TempDir
    Path folder;

    private final List<String> agents = new ArrayList<>();
    LoopkeeperOptions options;
    private Keeper keeper;

    /** Returns the agent's entry in a manifest. */
    abstract String entry(String name, String script, StepHandler handler, String more) throws IOException;

    @AfterEach
    void close() {
        if (keeper != null) {
            keeper.close();
        }
    }

    Path workspace() {
        return folder.resolve("w");
    }

    void agent(String name, String script, StepHandler handler) throws IOException {
        agent(name, script, handler, "");
    }

    void agent(String name, String script, StepHandler handler, String more) throws IOException {
        Files.createDirectories(workspace());
        if (options == null) {
            options = LoopkeeperOptions.of(folder.resolve("data"));
        }
        agents.add("  " + name + ": {" + entry(name, script, handler, more) + "}\n");
    }

    static StepHandler says(Signal signal) {
        return step -> Future.succeededFuture(signal);
    }

    String manifest(String rest) {
        return "name: one\nretry: {backoff: {initial: 1ms, max: 1ms}}\nagents:\n" + String.join("", agents) + rest;
    }

    Keeper keeper() throws IOException {
        if (keeper == null) {
            keeper = new Keeper(folder.resolve("data"), workspace(), options);
        }
        return keeper;
    }

    /** Closes the runtime, so that the next one finds what it left. */
    void restart() {
        keeper.close();
        keeper = null;
    }

    JsonNode ended(String rest) throws IOException {
        String runId = keeper().start(manifest(rest));
        return keeper().until(runId, "completed", "failed", "stopped", "paused");
    }

    JsonNode steps(JsonNode run) throws IOException {
        return keeper().steps(run.path("runId").asText());
    }

    @Test
    void aLoopFollowsTheVerdictsOfItsAgent() throws IOException {
        agent(
                "judge",
                "test -e again && " + SIGNALS + "--determination SUCCESS || { touch again; " + SIGNALS
                        + "--determination STALLED --concern 'header lost'; }",
                step -> Future.succeededFuture(
                        step.step().iteration().orElse(0) == 2 ? Signal.success() : Signal.stalled("header lost")));

        JsonNode run = ended("phases: [{name: build, loop: {steps: [judge], maxIterations: 5}}]");

        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        JsonNode steps = steps(run);
        assertThat(steps).hasSize(2);
        assertThat(steps.get(0).path("result").path("signal").path("keyConcern").asText())
                .isEqualTo("header lost");
    }

    @Test
    void theNextLaunchKnowsTheConcernOfTheLast() throws IOException {
        agent(
                "judge",
                "cp \"$LOOPKEEPER_CONTEXT_FILE\" context.json; test -e again && " + SIGNALS
                        + "--determination SUCCESS || { touch again; " + SIGNALS
                        + "--determination STALLED --concern 'header lost'; }",
                step -> {
                    boolean known = step.contextText().contains("header lost")
                            && step.context().last().isPresent();
                    return Future.succeededFuture(known ? Signal.success() : Signal.stalled("header lost"));
                });

        JsonNode run = ended("phases: [{name: build, loop: {steps: [judge], maxIterations: 3}}]");

        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        assertThat(steps(run)).hasSize(2);
    }

    @Test
    void aRejectedGateRepeatsThePhaseBefore() throws IOException {
        agent("dev", SIGNALS + "--status completed", says(Signal.completed()));
        agent(
                "gate",
                "test -e again && " + SIGNALS + "--verdict approved || { touch again; " + SIGNALS
                        + "--verdict rejected --concern no; }",
                step -> Future.succeededFuture(
                        step.context().failure().isPresent() ? Signal.approved() : Signal.rejected("no")));

        JsonNode run = ended("phases: [{name: a, task: dev}, {name: b, gate: gate}]");

        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        assertThat(steps(run)).hasSize(4);
    }

    @Test
    void aMissingSignalPausesTheRunAndIsNoSuccess() throws IOException {
        agent("dev", "true", step -> Future.succeededFuture());

        JsonNode run = ended("phases: [{name: a, task: dev}]");

        assertThat(run.path("status").asText()).isEqualTo("paused");
        assertThat(run.path("pause").path("reason").asText()).isEqualTo("missing_signals");
        assertThat(run.path("pause").path("detail").asText()).isEqualTo("absent");
    }

    @Test
    void aQuestionPausesTheRunAndTheAnswerIsFeedback() throws IOException {
        agent(
                "dev",
                "test -n \"$LOOPKEEPER_FEEDBACK\" && " + SIGNALS + "--status completed || " + SIGNALS
                        + "--question 'Which one?'",
                step -> Future.succeededFuture(
                        step.feedback().isEmpty() ? Signal.partial("").asking("Which one?") : Signal.completed()));
        JsonNode paused = ended("phases: [{name: a, task: dev}]");
        assertThat(paused.path("pause").path("reason").asText()).isEqualTo("user_input_needed");

        keeper().resume(paused.path("runId").asText(), ResumeRequest.PLAIN.feedback("the second"));

        keeper().until(paused.path("runId").asText(), "completed");
    }

    @Test
    void aTransientErrorIsRetriedAndThenTheFallbackIsAsked() throws IOException {
        agent("spare", SIGNALS + "--status completed", says(Signal.completed()));
        agent(
                "dev",
                "echo 'error: 429 Too Many Requests' >&2; exit 1",
                step -> Future.failedFuture(new IllegalStateException("error: 429 Too Many Requests")),
                "fallback: [spare]");

        JsonNode run = ended("phases: [{name: a, task: dev}]").deepCopy();

        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        JsonNode first = steps(run).get(0).path("result");
        assertThat(first.path("status").asText()).isEqualTo("error");
        assertThat(first.path("errorContext").path("kind").asText()).isEqualTo("rate-limit");
        JsonNode steps = steps(run);
        assertThat(steps.get(steps.size() - 1).path("agent").asText()).isEqualTo("spare");
    }

    @Test
    void anErrorThatDoesNotPassIsAnErrorOfTheStep() throws IOException {
        agent("dev", "echo 'boom' >&2; exit 1", step -> {
            throw new IllegalStateException("boom");
        });

        JsonNode run = ended("phases: [{name: a, task: dev}]");

        JsonNode result = steps(run).get(0).path("result");
        assertThat(result.path("status").asText()).isEqualTo("error");
        assertThat(result.path("errorContext").path("message").asText()).contains("boom");
        assertThat(run.path("pause").path("reason").asText()).isEqualTo("missing_signals");
    }

    @Test
    void usageIsThatOfTheStepAndReachesTheBudget() throws IOException {
        agent(
                "dev",
                "echo '{\"status\":\"completed\",\"usage\":{\"costUsd\":2,\"inputTokens\":10,\"outputTokens\":5,\"turns\":1}}'"
                        + " > \"$LOOPKEEPER_SIGNAL_FILE\"",
                step -> {
                    step.report(USED);
                    return Future.succeededFuture(Signal.completed());
                });

        JsonNode run = ended("budget: {costUsd: 1}\nphases: [{name: a, task: dev}, {name: b, task: dev}]");

        JsonNode step = steps(run).get(0);
        assertThat(step.path("result").path("usage").path("costUsd").asDouble()).isEqualTo(2);
        assertThat(step.path("result").path("usage").path("outputTokens").asLong())
                .isEqualTo(5);
        assertThat(run.path("termination").path("subtype").asText()).isEqualTo("error_max_budget_usd");
    }

    @Test
    void theTimeLimitEndsTheStep() throws IOException {
        agent("dev", "exec sleep 600", step -> untilCancelled(step.cancelled()), "timeout: 300ms");

        JsonNode run = ended("phases: [{name: a, task: dev}]");

        assertThat(steps(run)
                        .get(0)
                        .path("result")
                        .path("errorContext")
                        .path("category")
                        .asText())
                .isEqualTo("timeout");
    }

    @Test
    void aSilentStepIsIdleAndOneThatSaysSomethingIsNot() throws IOException {
        agent(
                "dev",
                "for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done; exec sleep 600",
                step -> {
                    for (int line = 1; line <= 6; line++) {
                        step.say(Integer.toString(line));
                    }
                    return untilCancelled(step.cancelled());
                },
                "idleTimeout: 700ms");

        JsonNode run = ended("phases: [{name: a, task: dev}]");

        assertThat(steps(run)
                        .get(0)
                        .path("result")
                        .path("errorContext")
                        .path("category")
                        .asText())
                .isEqualTo("idle");
        Path log = folder.resolve("data/runs/" + run.path("runId").asText() + "/steps/a.dev.1/stdout.log");
        assertThat(log).hasContent("1\n2\n3\n4\n5\n6");
    }

    @Test
    void aStopEndsTheStepAndTheRun() throws IOException {
        agent("dev", "touch begun; exec sleep 600", step -> {
            try {
                Files.createFile(workspace().resolve("begun"));
            } catch (IOException failed) {
                return Future.failedFuture(failed);
            }
            return untilCancelled(step.cancelled());
        });
        String runId = keeper().start(manifest("phases: [{name: a, task: dev}]"));
        Awaitility.await().until(() -> Files.exists(workspace().resolve("begun")));

        keeper().stop(runId, false);

        JsonNode run = keeper().until(runId, "stopped", "paused", "failed");
        assertThat(run.path("termination").path("subtype").asText())
                .as(run.toPrettyString())
                .isEqualTo("error_operator_stop");
        assertThat(keeper().steps(runId).get(0).path("result").path("status").asText())
                .isEqualTo("cancelled");
    }

    @Test
    void aKilledRoleIsCancelledAndTheRunPausesForItsSignal() throws IOException {
        agent("dev", "exec sleep 600", step -> untilCancelled(step.cancelled()));
        String runId = keeper().start(manifest("phases: [{name: a, task: dev}]"));
        Awaitility.await()
                .until(() -> !Keeper.await(ProcessChannels.LIST.ask(
                                keeper().vertx().eventBus(), new ListProcesses(Optional.of(runId)), Keeper.SOON))
                        .processes()
                        .isEmpty());

        Keeper.await(
                ProcessChannels.KILL.ask(keeper().vertx().eventBus(), new KillRole(runId, "dev", false), Keeper.SOON));

        JsonNode run = keeper().until(runId, "paused");
        assertThat(run.path("pause").path("reason").asText()).isEqualTo("missing_signals");
        JsonNode result = keeper().steps(runId).get(0).path("result");
        assertThat(result.path("status").asText()).isEqualTo("cancelled");
        assertThat(result.path("errorContext").path("category").asText()).isEqualTo("aborted");
    }

    @Test
    void itemsAtTheSameTimeHaveSignalsOfTheirOwn() throws IOException {
        agent("dev", SIGNALS + "--status completed", says(Signal.completed()));

        JsonNode run =
                ended("phases: [{name: a, each: {items: [{id: x}, {id: y}, {id: z}], concurrency: 3, steps: [dev]}}]");

        assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("completed");
        assertThat(steps(run)).hasSize(3);
    }

    static Future<Signal> untilCancelled(Future<Void> cancelled) {
        return cancelled.map(ends -> null);
    }
}
