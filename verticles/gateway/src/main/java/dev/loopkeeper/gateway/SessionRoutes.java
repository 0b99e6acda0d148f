package dev.loopkeeper.gateway;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.contract.LoadedRuns;
import dev.loopkeeper.gateway.access.Access;
import dev.loopkeeper.gateway.access.GatewayLimits;
import dev.loopkeeper.gateway.access.GatewayOptions;
import dev.loopkeeper.gateway.http.Answer;
import dev.loopkeeper.gateway.http.Endpoint;
import dev.loopkeeper.gateway.http.Scope;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.work.Release;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Serves {@code GET /session}, the caller's permissions and the server's limits, and {@code GET /nodes}. */
record SessionRoutes(GatewayOptions options, int maxRuns, LoadedRuns loaded, ClusterClient cluster) {
    List<Endpoint> endpoints() {
        return List.of(Endpoint.get("/session", this::session), Endpoint.get("/nodes", this::nodes));
    }

    private Future<Answer> session(RoutingContext context) {
        ObjectNode session = Json.MAPPER.createObjectNode();
        ArrayNode scopes = session.putArray("scopes");
        Stream.of(Scope.READ, Scope.CONTROL)
                .filter(Access.granted(context)::allows)
                .forEach(scope -> scopes.add(scope.name().toLowerCase(Locale.ROOT)));
        session.put("version", Release.version())
                .put("dataFolder", options.dataFolder().toString())
                .put("maxRuns", maxRuns == 0 ? null : maxRuns);
        GatewayLimits limits = options.limits();
        ObjectNode within = session.putObject("limits");
        ArrayNode workspaces = within.putArray("workspaces");
        options.admission().workspaces().forEach(folder -> workspaces.add(folder.toString()));
        within.put("bodyBytes", limits.maxBodyBytes())
                .put("requestsPerSecond", limits.requestsPerSecond() == 0 ? null : limits.requestsPerSecond())
                .put("connections", limits.maxConnections())
                .put("snapshotRuns", options.feed().snapshotRuns());
        return Future.succeededFuture(Answer.ok(session));
    }

    private Future<Answer> nodes(RoutingContext context) {
        return cluster.nodes()
                .map(nodes -> Answer.wrapped(
                        "nodes",
                        nodes.orElseGet(() -> List.of(only(context))).stream()
                                .map(ViewJson::write)
                                .toList()));
    }

    private Node only(RoutingContext context) {
        return new Node(
                Node.LOCAL,
                Node.State.LIVE,
                true,
                OptionalLong.empty(),
                Optional.of(context.request().absoluteURI().replaceFirst("(://[^/]*).*", "$1")),
                Release.version(),
                new Node.Load(
                        OptionalInt.of(loaded.count()), maxRuns == 0 ? OptionalInt.empty() : OptionalInt.of(maxRuns)));
    }
}
