package dev.loopkeeper.chaos;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three nodes, each with a link of its own to one PostgreSQL as durable as in earnest, and the end of all they leave. */
final class ChaosCluster implements AutoCloseable {
    private static final int NODES = 3;

    final ChaosDatabase database;
    /** Below it lie the workspaces of runs that may move. */
    final Path shared;

    final List<ChaosNode> nodes = new ArrayList<>();
    /** One for each node in the order of the nodes; none without an event bus. */
    final List<BusWay> ways;

    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final Path folder;

    /** @param bus whether the nodes are joined by an event bus, too */
    ChaosCluster(Path folder, String lease, boolean bus) throws IOException {
        this.folder = folder;
        this.shared = Files.createDirectories(folder.resolve("shared"));
        this.database = new ChaosDatabase(folder);
        this.ways = bus ? IntStream.rangeClosed(1, NODES).mapToObj(BusWay::new).toList() : List.of();
        String members = ways.stream().map(BusWay::address).collect(Collectors.joining(","));
        for (int number = 1; number <= NODES; number++) {
            List<String> joined = bus
                    ? List.of(
                            "--cluster",
                            members,
                            "--cluster-bind",
                            ways.get(number - 1).address())
                    : List.of();
            nodes.add(new ChaosNode("n" + number, folder, shared, new FaultyLink(database.port()), lease, joined));
        }
    }

    /** All at once, until each has its lease. */
    void start() throws IOException, InterruptedException {
        for (ChaosNode node : nodes) {
            node.start();
        }
        awaitLive();
    }

    void awaitLive() throws IOException, InterruptedException {
        for (ChaosNode node : nodes) {
            node.awaitLive(client);
        }
    }

    /** Over the event bus to that node, where there is one. */
    BusWay way(ChaosNode node) {
        return ways.get(nodes.indexOf(node));
    }

    @Override
    public void close() throws IOException {
        for (ChaosNode node : nodes) {
            node.link.heal();
        }
        for (BusWay way : ways) {
            way.heal();
        }
        Signals.send("CONT", Signals.of(folder));
        Signals.killAll(folder);
        for (ChaosNode node : nodes) {
            node.link.close();
            if (node.disk.isPresent()) {
                node.disk.get().close();
            }
        }
        for (BusWay way : ways) {
            way.close();
        }
        database.close();
    }
}
