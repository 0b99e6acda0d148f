package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.process.KillRole;
import dev.loopkeeper.contract.process.ListProcesses;
import dev.loopkeeper.contract.process.LiveProcess;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.ProcessList;
import dev.loopkeeper.contract.process.ReapStrays;
import dev.loopkeeper.contract.process.UnknownRoleException;
import dev.loopkeeper.contract.run.ListOpenSteps;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The live registry: see what runs, kill one role, reap what nobody owns. */
final class ProcessRoutes {
    private final SchedulerClient scheduler;

    ProcessRoutes(SchedulerClient scheduler) {
        this.scheduler = scheduler;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/processes", this::list),
                Endpoint.post("/processes/{runId}/{role}/kill", this::kill),
                Endpoint.post("/processes/reap", this::reap));
    }

    private Future<Answer> list(RoutingContext context) {
        return live(Optional.empty()).map(list -> Answer.wrapped("processes", list.processes()));
    }

    private Future<ProcessList> live(Optional<String> runId) {
        return scheduler.elsewhere(ProcessChannels.LIST, new ListProcesses(runId));
    }

    /** Answers with the receipt once nothing of the role is left. */
    private Future<Answer> kill(RoutingContext context) {
        String runId = Ids.run(context);
        String role = Ids.of(context, "role");
        boolean now = RequestBody.of(context, Set.of("now")).flag("now", false);
        return live(Optional.of(runId))
                .map(list -> requireRole(list.processes(), runId, role))
                .compose(found -> scheduler.patiently(ProcessChannels.KILL, new KillRole(runId, role, now)))
                .recover(ProcessRoutes::goneMeanwhile)
                .map(receipt -> Answer.ok(Json.MAPPER.valueToTree(receipt)));
    }

    private static List<LiveProcess> requireRole(List<LiveProcess> processes, String runId, String role) {
        List<String> roles =
                processes.stream().map(LiveProcess::role).distinct().sorted().toList();
        if (!roles.contains(role)) {
            String living = roles.isEmpty() ? "it has no live agent" : "live are " + String.join(", ", roles);
            throw Problem.notFound("run " + runId + " has no live agent " + role + "; " + living);
        }
        return processes;
    }

    /**
     * A step that the supervisor has not adopted yet must not be taken for a stray, nor what belongs to a run that cannot
     * be read. When what is open cannot be found out nothing is reaped.
     */
    private Future<Answer> reap(RoutingContext context) {
        boolean dryRun = RequestBody.of(context, Set.of("dryRun")).flag("dryRun", false);
        return scheduler
                .elsewhere(RunChannels.OPEN_STEPS, new ListOpenSteps(Optional.empty()))
                .compose(open -> scheduler.patiently(
                        ProcessChannels.REAP, new ReapStrays(dryRun, open.steps(), open.unreadable())))
                .map(reaped -> Answer.ok(Json.MAPPER.valueToTree(reaped)));
    }

    /** It was live when we looked. */
    private static <T> Future<T> goneMeanwhile(Throwable cause) {
        boolean gone = cause instanceof UnknownRoleException;
        return Future.failedFuture(gone ? Problem.notFound(cause.getMessage()) : cause);
    }
}
