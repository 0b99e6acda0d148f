package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.OrphanProcess;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.contract.SchedulerChannels.ListOpenSteps;
import dev.loopkeeper.gateway.ClusterClient.ClusterAnswers;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.gateway.http.Query;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists agents, kills a role, and reaps orphaned processes; in a cluster on all nodes. */
record ProcessRoutes(SchedulerClient scheduler, ClusterClient cluster) {
    /** Time limit of queries to a node. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Time limit of requests that end processes, which have their own grace. */
    private static final Duration LONG = Duration.ofMinutes(5);

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/processes", this::list).taking("run", "workspace"),
                Endpoint.post("/processes/{runId}/{role}/kill", this::kill),
                Endpoint.post("/processes/reap", this::reap));
    }

    private Future<Answer> list(RoutingContext context) {
        Query query = new Query(context);
        ProcessSelection selection = ProcessSelection.of(query.text("run"), query.text("workspace"));
        return live().compose(live -> selection.among(scheduler, runsOf(live)).map(runs -> {
            ObjectNode answer = Json.MAPPER.createObjectNode();
            add(answer, live, runs);
            return Answer.ok(naming(answer, live.unanswered()));
        }));
    }

    private static Set<String> runsOf(ClusterAnswers<ProcessList> live) {
        return agents(live).map(LiveProcess::runId).collect(Collectors.toSet());
    }

    private static Stream<LiveProcess> agents(ClusterAnswers<ProcessList> live) {
        return live.answers().stream().flatMap(node -> node.answer().processes().stream());
    }

    /** Adds the agents of these runs as {@code processes}. */
    private static void add(ObjectNode answer, ClusterAnswers<ProcessList> live, Set<String> runs) {
        ArrayNode processes = answer.putArray("processes");
        live.answers()
                .forEach(node -> node.answer().processes().stream()
                        .filter(process -> runs.contains(process.runId()))
                        .forEach(process -> processes.add(of(node.node(), process))));
    }

    private static ObjectNode of(Optional<String> node, Object thing) {
        ObjectNode shown = Json.MAPPER.valueToTree(thing);
        node.ifPresent(name -> shown.put("node", name));
        return shown;
    }

    /** Adds the nodes that did not answer, which may have more. */
    private static ObjectNode naming(ObjectNode answer, Optional<List<String>> unanswered) {
        unanswered.ifPresent(names -> answer.set("unanswered", Json.MAPPER.valueToTree(names)));
        return answer;
    }

    private Future<ClusterAnswers<ProcessList>> live() {
        return cluster.askAll(
                PATIENCE,
                (node, limit) -> cluster.at(node, ProcessChannels.LIST, new ListProcesses(Optional.empty()), limit));
    }

    /** Answers with the receipt once no process of the role is left. */
    private Future<Answer> kill(RoutingContext context) {
        String runId = Ids.run(context);
        String role = Ids.of(context, "role");
        boolean now = RequestBody.of(context, Set.of("now")).flag("now", false);
        return kill(new KillRole(runId, role, now, Access.by(context))).map(Answer::ok);
    }

    private Future<JsonNode> kill(KillRole command) {
        return scheduler
                .requestLong(RunChannels.KILL, command)
                .compose(SchedulerClient::unlessRefused)
                .map(receipt -> receipt.document().orElseThrow());
    }

    /** Reaps orphans of all or of selected runs; with {@code living} also living agents of selected runs. */
    private Future<Answer> reap(RoutingContext context) {
        StrictObject body = RequestBody.of(context, Set.of("dryRun", "run", "workspace", "living"));
        boolean dryRun = body.flag("dryRun", false);
        boolean living = body.flag("living", false);
        ProcessSelection selection = ProcessSelection.of(body.text("run"), body.text("workspace"));
        if (living && !selection.named()) {
            throw Problem.invalidAt("living", "requires run or workspace: only agents of selected runs can be ended");
        }
        return selection.named()
                ? reapNamed(dryRun, living, selection, Access.by(context)).map(Answer::ok)
                : orphans(dryRun, Optional.empty()).map(all -> Answer.ok(answer(dryRun, all)));
    }

    /** Lists orphans first, since the workspace of a run is known by its id only. */
    private Future<ObjectNode> reapNamed(boolean dryRun, boolean living, ProcessSelection selection, String by) {
        return orphans(true, Optional.empty())
                .compose(seen -> live().compose(live -> {
                    Set<String> all = runsOf(live);
                    seen.answers().forEach(node -> node.answer().strays().forEach(orphan -> all.add(orphan.runId())));
                    return selection
                            .among(scheduler, all)
                            .compose(runs -> orphans(dryRun, Optional.of(runs)).compose(reaped -> {
                                ObjectNode answer = answer(dryRun, reaped);
                                if (!living) {
                                    return Future.succeededFuture(answer);
                                }
                                add(answer, live, runs);
                                return dryRun ? Future.succeededFuture(answer) : endAgents(answer, live, runs, by);
                            }));
                }));
    }

    private Future<ObjectNode> endAgents(
            ObjectNode answer, ClusterAnswers<ProcessList> live, Set<String> runs, String by) {
        ArrayNode receipts = (ArrayNode) answer.get("receipts");
        return Future.join(agents(live)
                        .filter(agent -> runs.contains(agent.runId()))
                        .map(agent -> new KillRole(agent.runId(), agent.role(), false, by))
                        .distinct()
                        .map(command -> kill(command)
                                .map(Optional::of)
                                .recover(ProcessRoutes::unlessGone)
                                .onSuccess(receipt -> receipt.ifPresent(receipts::add)))
                        .toList())
                .map(ended -> answer);
    }

    /** An agent that has ended since needs no receipt. */
    private static Future<Optional<JsonNode>> unlessGone(Throwable failure) {
        return failure instanceof Problem problem && problem.code() == RefusalCode.NOT_FOUND
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(failure);
    }

    /**
     * Spares steps that the supervisor has not adopted yet, and runs that cannot be read. If open steps are unknown,
     * nothing is reaped.
     */
    private Future<ClusterAnswers<Reaped>> orphans(boolean dryRun, Optional<Set<String>> runs) {
        ListOpenSteps steps = new ListOpenSteps(Optional.empty());
        return cluster.askAll(
                dryRun ? PATIENCE : LONG,
                (node, limit) -> cluster.at(node, SchedulerChannels.OPEN_STEPS, steps, min(limit, PATIENCE))
                        .compose(open -> cluster.at(
                                node,
                                ProcessChannels.REAP,
                                new ReapOrphans(dryRun, open.steps(), open.unreadable(), runs),
                                node.self() ? LONG : limit)));
    }

    private static ObjectNode answer(boolean dryRun, ClusterAnswers<Reaped> reaped) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("dryRun", dryRun);
        ArrayNode orphans = answer.putArray("strays");
        ArrayNode receipts = answer.putArray("receipts");
        for (ClusterClient.NodeAnswer<Reaped> node : reaped.answers()) {
            for (OrphanProcess orphan : node.answer().strays()) {
                orphans.add(of(node.node(), orphan));
            }
            node.answer().receipts().forEach(receipt -> receipts.add(of(node.node(), receipt)));
        }
        return naming(answer, reaped.unanswered());
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
