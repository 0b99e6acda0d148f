package dev.loopkeeper.cli.command.admin;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts the open runs of all nodes for {@code status}, as the metrics of a node cover only its own runs. */
final class ClusterRuns {
    private ClusterRuns() {}

    /** Replaces the counts of the server's own metrics if the server is a node of a cluster. */
    static void addTo(ObjectNode facts, Api server, Instant now) {
        boolean alone = server.get("/nodes", NodesCommand.Nodes.class).view().nodes().stream()
                .anyMatch(node -> node.node().equals(Node.LOCAL));
        if (alone) {
            return;
        }
        List<Run> open =
                RunFacts.of(server).list(RunStatus.OPEN, Optional.empty(), Integer.MAX_VALUE).view().runs().stream()
                        .flatMap(entry -> entry.run().stream())
                        .toList();
        // By status, and by the reason of the pause, since when each run has it.
        Map<String, List<Instant>> byStatus =
                open.stream().collect(groupingBy(run -> run.status().wire(), mapping(Run::createdAt, toList())));
        Map<String, List<Instant>> byReason = open.stream()
                .flatMap(run -> run.pause().stream())
                .collect(groupingBy(pause -> pause.reason().wire(), TreeMap::new, mapping(Pause::since, toList())));
        ObjectNode runs = facts.putObject("runs");
        RunStatus.OPEN.stream()
                .sorted()
                .forEach(status -> runs.put(
                        status, byStatus.getOrDefault(status, List.of()).size()));
        ArrayNode paused = facts.putArray("paused");
        byReason.forEach((reason, since) -> paused.addObject()
                .put("reason", reason)
                .put("count", since.size())
                .put("oldestSeconds", oldest(since, now)));
        List<Instant> queued = byStatus.getOrDefault(RunStatus.QUEUED.wire(), List.of());
        facts.putObject("queue").put("length", queued.size()).put("oldestSeconds", oldest(queued, now));
        // The store is the database, and no node knows its size.
        facts.withObject("/disk").putNull("storeBytes");
    }

    /** Sets to null what only the database knows, while it is unavailable. */
    static void unknown(ObjectNode facts) {
        ObjectNode runs = facts.putObject("runs");
        RunStatus.OPEN.stream().sorted().forEach(runs::putNull);
        facts.putArray("paused");
        facts.putObject("queue").putNull("length").putNull("oldestSeconds");
        facts.withObject("/disk").putNull("storeBytes");
    }

    private static long oldest(List<Instant> since, Instant now) {
        return since.stream()
                .mapToLong(each -> Duration.between(each, now).toSeconds())
                .reduce(0, Math::max);
    }
}
