package dev.loopkeeper.gateway;

import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.RequestBody;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.request.PruneRequest;
import dev.loopkeeper.store.StoreChannels;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;

/** {@code POST /runs/prune}: {@code {olderThan?, keep?, dryRun?}}; removes nothing unless {@code dryRun} is false. */
record PruneRoute(SchedulerClient scheduler) {
    List<Endpoint> endpoints() {
        return List.of(Endpoint.post("/runs/prune", this::prune));
    }

    private Future<Answer> prune(RoutingContext context) {
        PruneRequest request = PruneRequest.of(RequestBody.of(context, PruneRequest.NAMES));
        return scheduler
                .requestLong(StoreChannels.PRUNE, request.question(Instant.now()))
                .map(pruned -> Answer.ok(Json.MAPPER.valueToTree(pruned)));
    }
}
