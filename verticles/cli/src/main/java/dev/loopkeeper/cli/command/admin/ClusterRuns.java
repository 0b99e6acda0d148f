package dev.loopkeeper.cli.command.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Node;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.view.Runs;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts the open runs of all nodes for {@code status}, as the metrics of a node cover only its own runs. */
final class ClusterRuns {
    private static final int PAGE = 200;

    private final Api server;
    private final Map<String, Count> byStatus = new TreeMap<>();
    private final Map<String, Count> byReason = new TreeMap<>();

    ClusterRuns(Api server) {
        this.server = server;
    }

    /** The answer of {@code GET /nodes}. */
    private record Nodes(List<Node> nodes) {}

    /** A number of runs, and the time since which the oldest of them has this status. */
    private record Count(long runs, Instant oldest) {
        static Count both(Count one, Count other) {
            return new Count(one.runs + other.runs, one.oldest.isBefore(other.oldest) ? one.oldest : other.oldest);
        }
    }

    /** Replaces the counts of the server's own metrics if the server is a node of a cluster. */
    void addTo(ObjectNode facts, Instant now) {
        boolean alone = server.get("/nodes", Nodes.class).view().nodes().stream()
                .anyMatch(node -> node.node().equals(Node.LOCAL));
        if (alone) {
            return;
        }
        count();
        ObjectNode runs = facts.putObject("runs");
        RunStatus.OPEN.stream()
                .sorted()
                .forEach(status -> runs.put(
                        status,
                        Optional.ofNullable(byStatus.get(status))
                                .map(Count::runs)
                                .orElse(0L)));
        ArrayNode paused = facts.putArray("paused");
        byReason.forEach((reason, count) -> paused.addObject()
                .put("reason", reason)
                .put("count", count.runs())
                .put("oldestSeconds", seconds(count, now)));
        Optional<Count> queued = Optional.ofNullable(byStatus.get(RunStatus.QUEUED.wire()));
        facts.putObject("queue")
                .put("length", queued.map(Count::runs).orElse(0L))
                .put("oldestSeconds", queued.map(count -> seconds(count, now)).orElse(0L));
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

    private static long seconds(Count count, Instant now) {
        return Math.max(0, Duration.between(count.oldest(), now).toSeconds());
    }

    private void count() {
        String path = "/runs?limit=" + PAGE + "&status=" + String.join(",", RunStatus.OPEN);
        Optional<String> cursor = Optional.empty();
        do {
            String from = cursor.map(text -> "&cursor=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                    .orElse("");
            Runs page = server.get(path + from, Runs.class).view();
            page.runs().forEach(entry -> entry.run().ifPresent(this::add));
            cursor = page.nextCursor();
        } while (cursor.isPresent());
    }

    private void add(Run run) {
        byStatus.merge(run.status().wire(), new Count(1, run.createdAt()), Count::both);
        run.pause().ifPresent(pause -> byReason.merge(pause.reason().wire(), new Count(1, pause.since()), Count::both));
    }
}
