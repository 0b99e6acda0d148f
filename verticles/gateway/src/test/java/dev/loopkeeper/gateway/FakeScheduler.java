package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ListOpenSteps;
import dev.loopkeeper.contract.SchedulerChannels.OpenSteps;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.ItemPage;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A scheduler on the real channels: answers from a table of run objects and remembers what it was asked. */
public class FakeScheduler {
    public final Map<String, JsonNode> runs = new ConcurrentHashMap<>();
    public final Map<String, JsonNode> steps = new ConcurrentHashMap<>();
    public final List<Object> asked = new CopyOnWriteArrayList<>();
    final Map<String, String> runsByKey = new ConcurrentHashMap<>();
    public volatile Function<Object, Optional<Refusal>> refusal = question -> Optional.empty();
    public volatile Function<Object, Optional<Future<RunAnswer>>> instead = question -> Optional.empty();
    /** When what is asked is answered; the answer is that of the moment at which it was asked. */
    public volatile Future<Void> answering = Future.succeededFuture();

    volatile Set<String> unreadable = Set.of();
    /** Whether another node runs the open steps. */
    volatile boolean stepsAreElsewhere;

    public final Future<Void> serve(EventBus bus) {
        return Future.all(List.of(
                        on(bus, RunChannels.START, this::start),
                        on(bus, RunChannels.STOP, stop -> run(stop.runId())),
                        on(bus, RunChannels.END, end -> run(end.runId())),
                        on(bus, RunChannels.PAUSE, pause -> run(pause.runId())),
                        on(bus, RunChannels.RESUME, this::resume),
                        on(bus, RunChannels.KILL, kill -> run(kill.runId())),
                        on(bus, RunChannels.GET, get -> run(get.runId())),
                        on(bus, RunChannels.CHECKPOINT, get -> run(get.runId())),
                        on(bus, RunChannels.EXPLAIN, get -> explain(get.runId())),
                        on(bus, RunChannels.ITEMS, get -> items(get.runId())),
                        on(bus, RunChannels.STEP, get -> step(get.runId(), get.stepId())),
                        on(bus, RunChannels.STEP_PAGE, this::page),
                        SchedulerChannels.OPEN_STEPS.serve(bus, this::openSteps)))
                .mapEmpty();
    }

    private <Q> Future<Void> on(EventBus bus, RequestChannel<Q, RunAnswer> channel, Function<Q, RunAnswer> usual) {
        return channel.serve(bus, question -> {
            asked.add(question);
            Optional<Refusal> no = refusal.apply(question);
            Future<RunAnswer> answer = instead.apply(question)
                    .orElseGet(() ->
                            Future.succeededFuture(no.map(RunAnswer::refused).orElseGet(() -> usual.apply(question))));
            return answering.compose(now -> answer);
        });
    }

    private RunAnswer start(StartRun question) {
        String runId = question.runId().orElse("made-up");
        String known = question.idempotencyKey()
                .map(key -> runsByKey.putIfAbsent(key, runId))
                .orElse(null);
        runs.putIfAbsent(runId, TestRuns.run(runId, "running"));
        return known == null ? RunAnswer.created(runs.get(runId)) : RunAnswer.of(runs.get(known));
    }

    private RunAnswer resume(ResumeRun question) {
        ResumePreview preview = new ResumePreview(true, List.of(), List.of(), List.of(), List.of(), "as asked", "");
        return question.request().dryRun() ? RunAnswer.of(preview) : run(question.runId());
    }

    protected RunAnswer explain(String runId) {
        ObjectNode explanation = Json.MAPPER.createObjectNode();
        explanation.put("runId", runId).put("status", "running").put("summary", "running");
        explanation.putNull("pause").putNull("waiting");
        explanation.putArray("allowedActions");
        explanation.putArray("needs");
        explanation.putArray("accepts");
        explanation.putObject("effects");
        explanation.putArray("chain");
        return run(runId).document().isPresent() ? RunAnswer.of(explanation) : run(runId);
    }

    private RunAnswer items(String runId) {
        RunAnswer none = RunAnswer.of(new ItemPage(List.of(), Map.of(), Optional.empty()));
        return run(runId).document().isPresent() ? none : run(runId);
    }

    protected final RunAnswer run(String runId) {
        return of(runs, runId);
    }

    private RunAnswer step(String runId, String stepId) {
        for (JsonNode step :
                steps.getOrDefault(runId, MissingNode.getInstance()).path("steps")) {
            if (step.path("stepId").asText().equals(stepId)) {
                return RunAnswer.of(step);
            }
        }
        return RunAnswer.refused(new Refusal(RefusalCode.NOT_FOUND, "run " + runId + " has no step " + stepId));
    }

    /** The newest of them, or those before one. */
    private RunAnswer page(ListSteps question) {
        JsonNode all = steps.get(question.runId());
        if (all == null) {
            return of(steps, question.runId());
        }
        int count = all.path("steps").size();
        int end = (int) Math.min(count, question.before().orElse(count));
        int begin = Math.max(0, end - question.limit());
        ObjectNode page = Json.MAPPER.createObjectNode().put("nextCursor", begin > 0 ? "before-" + begin : null);
        ArrayNode rows = page.putArray("steps");
        for (int index = begin; index < end; index++) {
            rows.add(all.path("steps").get(index));
        }
        return RunAnswer.of(page);
    }

    private static RunAnswer of(Map<String, JsonNode> documents, String runId) {
        return Optional.ofNullable(documents.get(runId))
                .map(RunAnswer::of)
                .orElseGet(() -> RunAnswer.refused(new Refusal(RefusalCode.NOT_FOUND, "there is no run " + runId)));
    }

    private Future<OpenSteps> openSteps(ListOpenSteps question) {
        if (stepsAreElsewhere) {
            return Future.succeededFuture(new OpenSteps(Set.of(), unreadable));
        }
        asked.add(question);
        Set<String> open = new HashSet<>();
        steps.forEach((runId, document) -> document.path("steps").forEach(step -> {
            if (step.path("endedAt").isNull()) {
                open.add(runId + "/" + step.path("stepId").asText());
            }
        }));
        return Future.succeededFuture(new OpenSteps(open, unreadable));
    }

    /** The last question of this kind. */
    public final <Q> Q last(Class<Q> kind) {
        return asked.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .reduce((one, two) -> two)
                .orElseThrow();
    }

    /** Those that change something. */
    public boolean wasCommanded() {
        return asked.stream()
                .anyMatch(question -> question instanceof StartRun
                        || question instanceof StopRun
                        || question instanceof EndRun
                        || question instanceof PauseRun
                        || question instanceof ResumeRun);
    }

    public static Function<Object, Optional<Refusal>> refusing(RefusalCode code, Map<String, Object> details) {
        return question -> question instanceof GetRun
                ? Optional.empty()
                : Optional.of(new Refusal(code, "no, because of " + code.wire(), details));
    }
}
