package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.CheckpointJson;
import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.LoadedRun;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.GetStep;
import dev.loopkeeper.contract.RunChannels.ListItems;
import dev.loopkeeper.contract.RunChannels.ListSteps;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.RecordNotice;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.contract.RunRouting;
import dev.loopkeeper.contract.UnknownRoleException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.ChangedManifest;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunResumed;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.termination.StopCause;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests about existing runs. */
final class RunRequests {
    private static final Logger LOG = LoggerFactory.getLogger(RunRequests.class);
    /** A kill may take as long as the grace. */
    private static final Duration LONGEST_KILL = Duration.ofMinutes(5);

    private final Scheduler scheduler;
    private final ClientEnvironments environments;
    private final RunActors actors;
    private final RunHistoryViews histories;
    private final RunRouting routing;
    private final WorkerExecutor workers;

    /** @param workers read histories and build large answers */
    RunRequests(Scheduler scheduler, WorkerExecutor workers, RunRouting routing) {
        this.scheduler = scheduler;
        this.environments = ClientEnvironments.in(scheduler.vertx);
        this.workers = workers;
        this.actors = scheduler.actors;
        this.routing = routing;
        this.histories = new RunHistoryViews(scheduler.vertx, scheduler.store, scheduler.opened, workers);
    }

    /**
     * Stops a run; an ended run stays as it is, without an error. A stop that arrives while the resume of an ended run
     * is being recorded is decided after the resume.
     */
    Future<RunAnswer> stop(StopRun command) {
        RunInput.Stop input = new RunInput.Stop(
                Instants.now(), StopCause.OPERATOR, command.reason(), command.now(), Optional.ofNullable(command.by()));
        return execute("stop", command.runId(), command, run -> {
                    scheduler.opened.stoppedBy(command.runId(), spec -> true, command.by());
                    return over(run)
                            .filter(ended -> !run.isDeciding())
                            .map(Future::succeededFuture)
                            .orElseGet(() -> ask(run, input)
                                    .map(answer -> over(run).orElse(answer))
                                    .recover(cause -> withoutStore(run, input, cause)));
                })
                .onSuccess(stopped -> stopInner(command));
    }

    /** A command that a stop killed cannot stop the run that it submitted here. */
    private void stopInner(StopRun outer) {
        Optional<String> why = Optional.of("run " + outer.runId() + ", whose step submitted this run, was stopped");
        environments
                .takeInner(outer.runId())
                .forEach(inner -> stop(new StopRun(inner, why, outer.now(), outer.by()))
                        .onFailure(cause -> LOG.warn("run {} could not be stopped: {}", inner, cause.getMessage())));
    }

    /** Stops the processes without the store: agents must stay stoppable during a disk failure. */
    private Future<RunAnswer> withoutStore(RunActor run, RunInput.Stop stop, Throwable cause) {
        if (!(cause instanceof StoreException)) {
            return Future.failedFuture(cause);
        }
        stopUnrecorded(run, stop);
        return Future.succeededFuture(Refusals.stopUnrecorded(cause.getMessage()));
    }

    /** Stops the processes of a run whose stop cannot be stored yet; the stop is stored as soon as possible. */
    private void stopUnrecorded(RunActor run, RunInput.Stop stop) {
        LOG.error(
                "run {}: the stop cannot be recorded yet; the processes of the run are stopped nevertheless",
                run.runId());
        run.deliver(stop);
        run.state().steps().keySet().forEach(stepId -> scheduler.stops.stop(run.runId(), stepId, stop.now()));
    }

    /** Returns the answer for an ended run, including one that ended before the stop arrived. */
    private Optional<RunAnswer> over(RunActor run) {
        return Optional.of(run.state())
                .filter(state -> state.condition() instanceof Condition.Ended)
                .map(state -> RunAnswer.of(actors.view(state)));
    }

    Future<RunAnswer> end(EndRun command) {
        return execute("end", command.runId(), command, run -> {
            scheduler.opened.stoppedBy(command.runId(), spec -> true, command.by());
            return ask(
                    run,
                    new RunInput.End(
                            Instants.now(),
                            command.reasonCode(),
                            command.summary(),
                            command.qualifier(),
                            Optional.ofNullable(command.by())));
        });
    }

    Future<RunAnswer> pause(PauseRun command) {
        return execute(
                "pause",
                command.runId(),
                command,
                run -> ask(
                        run,
                        new RunInput.Pause(
                                Instants.now(), command.reason(), command.at(), Optional.ofNullable(command.by()))));
    }

    Future<RunAnswer> remark(RecordNotice command) {
        return execute(
                "remark",
                command.runId(),
                command,
                run -> ask(run, new RunInput.Remark(Instants.now(), command.code(), command.message())));
    }

    Future<RunAnswer> resume(ResumeRun command) {
        return routed(
                "resume",
                command.runId(),
                command,
                () -> scheduler.capacity.isClosed()
                        ? Future.succeededFuture(Refusals.draining())
                        : withRun(command.runId(), run -> resume(run, command)));
    }

    private Future<RunAnswer> resume(RunActor run, ResumeRun command) {
        Path workspace = Path.of(run.state().plan().workspace());
        return workers.executeBlocking(() -> Files.notExists(workspace) || Files.isRegularFile(workspace), false)
                .compose(gone -> ask(
                        run,
                        new RunInput.Resume(
                                Instants.now(),
                                command.request(),
                                gone,
                                Optional.ofNullable(command.by()),
                                command.pausedAt())));
    }

    /**
     * Kills a role. Requires no store where the run is executed here: agents must stay stoppable during a disk failure.
     */
    Future<RunAnswer> kill(KillRole command) {
        return routed("kill", command.runId(), command, () -> {
            scheduler.opened.stoppedBy(
                    command.runId(), spec -> command.means(spec.identity().agent(), spec.stepId()), command.by());
            return ProcessChannels.KILL
                    .ask(scheduler.vertx.eventBus(), command, LONGEST_KILL)
                    .map(receipt -> receipt.withBy(Optional.ofNullable(command.by())))
                    .map(receipt -> RunAnswer.of(Json.MAPPER.<JsonNode>valueToTree(receipt)))
                    .recover(cause -> cause instanceof UnknownRoleException
                            ? Future.succeededFuture(Refusals.noRole(cause.getMessage()))
                            : Future.failedFuture(cause));
        });
    }

    /** Executes a command on the node that owns the run. */
    Future<RunAnswer> execute(String name, String runId, Record command, Function<RunActor, Future<RunAnswer>> work) {
        return routed(name, runId, command, () -> withRun(runId, work));
    }

    private Future<RunAnswer> routed(String name, String runId, Record command, Supplier<Future<RunAnswer>> here) {
        return routing.route(name, runId, command, here).recover(RunRequests::refused);
    }

    Future<RunAnswer> checkpoint(GetRun question) {
        return reading(
                question.runId(),
                run -> workers.executeBlocking(() -> RunAnswer.of(CheckpointJson.of(run, Instants.now())), false));
    }

    Future<RunAnswer> get(GetRun question) {
        Optional<LoadedRun> loaded = actors.look(question.runId());
        if (loaded.isPresent()) {
            return Future.succeededFuture(RunAnswer.of(loaded.get().view()));
        }
        return scheduler
                .store
                .find(question.runId())
                .map(found -> found.map(row -> RunAnswer.of(row.shown(Instants.now())))
                        .orElseGet(() -> Refusals.notFound(question.runId())));
    }

    Future<RunAnswer> stepPage(ListSteps question) {
        return recorded(
                question.runId(),
                () -> histories
                        .steps(question)
                        .compose(page -> workers.executeBlocking(() -> RunAnswer.of(page), false)));
    }

    Future<RunAnswer> step(GetStep question) {
        return recorded(
                question.runId(),
                () -> histories
                        .step(question.runId(), question.stepId())
                        .map(found -> found.map(RunAnswer::of)
                                .orElseGet(() -> Refusals.noStep(question.runId(), question.stepId()))));
    }

    Future<RunAnswer> items(ListItems question) {
        return reading(question.runId(), run -> histories.items(run, question));
    }

    Future<RunAnswer> explain(GetRun question) {
        return reading(question.runId(), histories::explain);
    }

    /** Reads a run. A run of another node is not kept, since its state here would soon be outdated. */
    Future<RunAnswer> reading(String runId, Function<RunState, Future<RunAnswer>> work) {
        if (actors.executes(runId)) {
            return withRun(runId, run -> work.apply(run.state()));
        }
        return actors.read(runId)
                .compose(run -> run.map(work).orElseGet(() -> Future.succeededFuture(Refusals.notFound(runId))))
                .recover(RunRequests::refused);
    }

    /** Answers from the events of a run only; loading the state of a long run takes long. */
    private Future<RunAnswer> recorded(String runId, Supplier<Future<RunAnswer>> work) {
        return scheduler
                .store
                .find(runId)
                .compose(row -> row.isPresent() ? work.get() : Future.succeededFuture(Refusals.notFound(runId)))
                .recover(RunRequests::refused);
    }

    private Future<RunAnswer> withRun(String runId, Function<RunActor, Future<RunAnswer>> work) {
        return actors.find(runId)
                .compose(run -> run.map(known -> known.during(work).onComplete(over -> actors.releaseIfOver(known)))
                        .orElseGet(() -> Future.succeededFuture(Refusals.notFound(runId))))
                .recover(RunRequests::refused);
    }

    private static Future<RunAnswer> refused(Throwable cause) {
        boolean known = cause instanceof StoreException
                || cause instanceof StaleAppendException
                || cause instanceof CheckpointException;
        return known ? Future.succeededFuture(Refusals.storeUnavailable(cause)) : Future.failedFuture(cause);
    }

    /** Has the run decide this input; returns the run, or its refusal. */
    Future<RunAnswer> ask(RunActor run, RunInput input) {
        return run.ask(input).map(this::answer);
    }

    private RunAnswer answer(Decision decision) {
        if (decision.refusal().isPresent()) {
            return Refusals.of(decision.refusal().get());
        }
        return decision.preview()
                .map(preview -> RunAnswer.of(preview))
                .orElseGet(() -> RunAnswer.of(withChanges(actors.view(decision.state()), decision)));
    }

    /** Returns the run and the changes of the manifest that this resume brought. */
    private static JsonNode withChanges(JsonNode run, Decision decision) {
        Stream<ResumeRequest> requests = Stream.concat(
                decision.events(RunResumed.class).map(RunResumed::request),
                decision.events(RunQueued.class).map(RunQueued::request));
        Optional<ChangedManifest> manifest =
                requests.flatMap(request -> request.changedManifest().stream()).findFirst();
        if (manifest.isEmpty()) {
            return run;
        }
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.setAll((ObjectNode) run);
        manifest.get().changes().forEach(answer.putArray("changes")::add);
        return answer;
    }
}
