package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.process.KillRole;
import dev.loopkeeper.contract.process.ListProcesses;
import dev.loopkeeper.contract.process.LiveProcess;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.ProcessList;
import dev.loopkeeper.contract.process.ReapStrays;
import dev.loopkeeper.contract.process.Reaped;
import dev.loopkeeper.contract.process.StrayProcess;
import dev.loopkeeper.contract.run.ListOpenSteps;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.gateway.ClusterClient.Everywhere;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The live registry: lists agents, kills one role, reaps processes of no open step; in a cluster on all nodes. */
final class ProcessRoutes {
    /** Of a node that is asked what it has. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Of one that ends something, which takes as long as that has time. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private final SchedulerClient scheduler;
    private final ClusterClient cluster;

    ProcessRoutes(SchedulerClient scheduler, ClusterClient cluster) {
        this.scheduler = scheduler;
        this.cluster = cluster;
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/processes", this::list).taking("run", "workspace"),
                Endpoint.post("/processes/{runId}/{role}/kill", this::kill),
                Endpoint.post("/processes/reap", this::reap));
    }

    private Future<Answer> list(RoutingContext context) {
        Query query = new Query(context);
        ProcessSelection wanted = ProcessSelection.of(query.text("run"), query.text("workspace"));
        return live().compose(live -> wanted.among(scheduler, runsOf(live)).map(runs -> {
            ObjectNode answer = Json.MAPPER.createObjectNode();
            add(answer, live, runs);
            return Answer.ok(naming(answer, live.unanswered()));
        }));
    }

    private static Set<String> runsOf(Everywhere<ProcessList> live) {
        return agents(live).map(LiveProcess::runId).collect(Collectors.toSet());
    }

    private static Stream<LiveProcess> agents(Everywhere<ProcessList> live) {
        return live.answers().stream().flatMap(heard -> heard.answer().processes().stream());
    }

    /** The agents of these runs, as {@code processes}. */
    private static void add(ObjectNode answer, Everywhere<ProcessList> live, Set<String> runs) {
        ArrayNode processes = answer.putArray("processes");
        live.answers()
                .forEach(heard -> heard.answer().processes().stream()
                        .filter(process -> runs.contains(process.runId()))
                        .forEach(process -> processes.add(of(heard.node(), process))));
    }

    private static ObjectNode of(Optional<String> node, Object thing) {
        ObjectNode shown = Json.MAPPER.valueToTree(thing);
        node.ifPresent(name -> shown.put("node", name));
        return shown;
    }

    /** A node that did not answer may have more. */
    private static ObjectNode naming(ObjectNode answer, Optional<List<String>> unanswered) {
        unanswered.ifPresent(names -> answer.set("unanswered", Json.MAPPER.valueToTree(names)));
        return answer;
    }

    private Future<Everywhere<ProcessList>> live() {
        return cluster.everywhere(
                PATIENCE,
                (node, limit) -> cluster.at(node, ProcessChannels.LIST, new ListProcesses(Optional.empty()), limit));
    }

    /** Answers with the receipt once nothing of the role is left. */
    private Future<Answer> kill(RoutingContext context) {
        String runId = Ids.run(context);
        String role = Ids.of(context, "role");
        boolean now = RequestBody.of(context, Set.of("now")).flag("now", false);
        return kill(new KillRole(runId, role, now)).map(Answer::ok);
    }

    private Future<JsonNode> kill(KillRole command) {
        return scheduler
                .patiently(RunChannels.KILL, command)
                .compose(SchedulerClient::unlessRefused)
                .map(receipt -> receipt.document().orElseThrow());
    }

    /** Strays of all runs or of the named ones; with {@code living} also the living agents of the named ones. */
    private Future<Answer> reap(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of("dryRun", "run", "workspace", "living"));
        boolean dryRun = body.flag("dryRun", false);
        boolean living = body.flag("living", false);
        ProcessSelection wanted = ProcessSelection.of(body.text("run"), body.text("workspace"));
        if (living && !wanted.named()) {
            throw Problem.invalidAt(
                    "living", "needs run or workspace: living agents are ended only where they are named");
        }
        return wanted.named()
                ? reapNamed(dryRun, living, wanted).map(Answer::ok)
                : strays(dryRun, Optional.empty()).map(all -> Answer.ok(answer(dryRun, all)));
    }

    /** Looks first, since the workspace of a run is known by its id alone. */
    private Future<ObjectNode> reapNamed(boolean dryRun, boolean living, ProcessSelection wanted) {
        return strays(true, Optional.empty())
                .compose(seen -> live().compose(live -> {
                    Set<String> all = runsOf(live);
                    seen.answers().forEach(heard -> heard.answer().strays().forEach(stray -> all.add(stray.runId())));
                    return wanted.among(scheduler, all)
                            .compose(runs -> strays(dryRun, Optional.of(runs)).compose(reaped -> {
                                ObjectNode answer = answer(dryRun, reaped);
                                if (!living) {
                                    return Future.succeededFuture(answer);
                                }
                                add(answer, live, runs);
                                return dryRun ? Future.succeededFuture(answer) : endAgents(answer, live, runs);
                            }));
                }));
    }

    private Future<ObjectNode> endAgents(ObjectNode answer, Everywhere<ProcessList> live, Set<String> runs) {
        ArrayNode receipts = (ArrayNode) answer.get("receipts");
        return Future.join(agents(live)
                        .filter(agent -> runs.contains(agent.runId()))
                        .map(agent -> new KillRole(agent.runId(), agent.role(), false))
                        .distinct()
                        .map(command -> kill(command)
                                .map(Optional::of)
                                .recover(ProcessRoutes::unlessGone)
                                .onSuccess(receipt -> receipt.ifPresent(receipts::add)))
                        .toList())
                .map(ended -> answer);
    }

    /** An agent that ended in the meantime needs no receipt. */
    private static Future<Optional<JsonNode>> unlessGone(Throwable failure) {
        return failure instanceof Problem problem && problem.code().equals("not-found")
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(failure);
    }

    /**
     * A step that the supervisor has not adopted yet must not be taken for a stray, nor what belongs to a run that cannot
     * be read. When what is open cannot be found out nothing is reaped.
     */
    private Future<Everywhere<Reaped>> strays(boolean dryRun, Optional<Set<String>> runs) {
        ListOpenSteps steps = new ListOpenSteps(Optional.empty());
        return cluster.everywhere(
                dryRun ? PATIENCE : LONG,
                (node, limit) -> cluster.at(node, RunChannels.OPEN_STEPS, steps, min(limit, PATIENCE))
                        .compose(open -> cluster.at(
                                node,
                                ProcessChannels.REAP,
                                new ReapStrays(dryRun, open.steps(), open.unreadable(), runs),
                                node.self() ? LONG : limit)));
    }

    private static ObjectNode answer(boolean dryRun, Everywhere<Reaped> reaped) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("dryRun", dryRun);
        ArrayNode strays = answer.putArray("strays");
        ArrayNode receipts = answer.putArray("receipts");
        for (ClusterClient.Heard<Reaped> heard : reaped.answers()) {
            for (StrayProcess stray : heard.answer().strays()) {
                strays.add(of(heard.node(), stray));
            }
            heard.answer().receipts().forEach(receipt -> receipts.add(of(heard.node(), receipt)));
        }
        return naming(answer, reaped.unanswered());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
