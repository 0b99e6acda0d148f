package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.process.KillRole;
import dev.loopkeeper.contract.process.ListProcesses;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.process.ProcessList;
import dev.loopkeeper.contract.process.ReapStrays;
import dev.loopkeeper.contract.process.Reaped;
import dev.loopkeeper.contract.run.ListOpenSteps;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Ids;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The live registry: see what runs, kill one role, reap what nobody owns; in a cluster on all nodes. */
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
                Endpoint.get("/processes", this::list),
                Endpoint.post("/processes/{runId}/{role}/kill", this::kill),
                Endpoint.post("/processes/reap", this::reap));
    }

    private Future<Answer> list(RoutingContext context) {
        return live().map(all -> {
            ObjectNode answer = Json.MAPPER.createObjectNode();
            ArrayNode processes = answer.putArray("processes");
            all.answers()
                    .forEach(heard ->
                            heard.answer().processes().forEach(process -> processes.add(of(heard.node(), process))));
            return Answer.ok(naming(answer, all.unanswered()));
        });
    }

    private static ObjectNode of(Optional<String> node, Object thing) {
        ObjectNode shown = Json.MAPPER.valueToTree(thing);
        node.ifPresent(name -> shown.put("node", name));
        return shown;
    }

    /** Who did not answer may have more. */
    private static ObjectNode naming(ObjectNode answer, Optional<List<String>> unanswered) {
        unanswered.ifPresent(names -> answer.set("unanswered", Json.MAPPER.valueToTree(names)));
        return answer;
    }

    private Future<ClusterClient.Everywhere<ProcessList>> live() {
        return cluster.everywhere(
                PATIENCE,
                (node, limit) -> cluster.at(node, ProcessChannels.LIST, new ListProcesses(Optional.empty()), limit));
    }

    /** Answers with the receipt once nothing of the role is left. */
    private Future<Answer> kill(RoutingContext context) {
        String runId = Ids.run(context);
        String role = Ids.of(context, "role");
        boolean now = RequestBody.of(context, Set.of("now")).flag("now", false);
        return scheduler
                .patiently(RunChannels.KILL, new KillRole(runId, role, now))
                .compose(SchedulerClient::unlessRefused)
                .map(receipt -> Answer.ok(receipt.document().orElseThrow()));
    }

    /**
     * A step that the supervisor has not adopted yet must not be taken for a stray, nor what belongs to a run that cannot
     * be read. When what is open cannot be found out nothing is reaped.
     */
    private Future<Answer> reap(RoutingContext context) {
        boolean dryRun = RequestBody.of(context, Set.of("dryRun")).flag("dryRun", false);
        ListOpenSteps steps = new ListOpenSteps(Optional.empty());
        return cluster.everywhere(
                        dryRun ? PATIENCE : LONG,
                        (node, limit) -> cluster.at(node, RunChannels.OPEN_STEPS, steps, min(limit, PATIENCE))
                                .compose(open -> cluster.at(
                                        node,
                                        ProcessChannels.REAP,
                                        new ReapStrays(dryRun, open.steps(), open.unreadable()),
                                        node.self() ? LONG : limit)))
                .map(all -> {
                    ObjectNode answer = Json.MAPPER.createObjectNode().put("dryRun", dryRun);
                    ArrayNode strays = answer.putArray("strays");
                    ArrayNode receipts = answer.putArray("receipts");
                    for (ClusterClient.Heard<Reaped> heard : all.answers()) {
                        heard.answer().strays().forEach(stray -> strays.add(of(heard.node(), stray)));
                        heard.answer().receipts().forEach(receipt -> receipts.add(of(heard.node(), receipt)));
                    }
                    return Answer.ok(naming(answer, all.unanswered()));
                });
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
