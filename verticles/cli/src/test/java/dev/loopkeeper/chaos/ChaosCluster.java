package dev.loopkeeper.chaos;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Three nodes, each with a link of its own to one PostgreSQL as durable as in earnest, and the end of all they leave. */
final class ChaosCluster implements AutoCloseable {
    final ChaosDatabase database;
    /** Below it lie the workspaces of runs that may move. */
    final Path shared;

    final List<ChaosNode> nodes = new ArrayList<>();
    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final Path folder;

    ChaosCluster(Path folder, String lease) throws IOException {
        this.folder = folder;
        this.shared = Files.createDirectories(folder.resolve("shared"));
        this.database = new ChaosDatabase(folder);
        for (String name : List.of("n1", "n2", "n3")) {
            nodes.add(new ChaosNode(name, folder, shared, new FaultyLink(database.port()), lease));
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

    @Override
    public void close() throws IOException {
        for (ChaosNode node : nodes) {
            node.link.heal();
        }
        Signals.send("CONT", Signals.of(folder));
        Signals.killAll(folder);
        for (ChaosNode node : nodes) {
            node.link.close();
            if (node.disk.isPresent()) {
                node.disk.get().close();
            }
        }
        database.close();
    }
}
