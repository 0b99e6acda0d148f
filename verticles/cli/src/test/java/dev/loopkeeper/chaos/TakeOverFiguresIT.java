package dev.loopkeeper.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long it takes, in milliseconds: from each kind of fault to the first event of the next owner, from the start of a
 * killed runtime to the adoption of its agents, and from the request to end a node to the next owner of its runs.
 * {@code -Dloopkeeper.cluster.figures=3} asks for so many rounds, on a machine that does nothing else.
 */
@EnabledIfSystemProperty(named = "loopkeeper.cluster.figures", matches = "\\d+")
class TakeOverFiguresIT {
    private static final String MANIFEST = """
            name: measured
            agents:
              worker:
                command: [sh, -c, "echo $$ >pid.new; mv pid.new pid; exec sleep 600"]
                signal: .loopkeeper/work.json
            phases:
              - {name: one, task: worker}
            """;

    @TempDir
    private Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<ChaosNode> nodes = new ArrayList<>();
    private final Map<String, List<Long>> took = new LinkedHashMap<>();
    private ChaosDatabase database;
    private Path shared;
    private int count;

    private interface Step {
        void take(ChaosNode node) throws Exception;
    }

    @Test
    void timesOfTakeoverAdoptionAndDrain() throws Exception {
        shared = Files.createDirectories(folder.resolve("shared"));
        try (ChaosDatabase opened = new ChaosDatabase(folder)) {
            database = opened;
            try {
                for (String name : List.of("n1", "n2", "n3")) {
                    ChaosNode node = new ChaosNode(name, folder, shared, new FaultyLink(database.port()), "8s");
                    nodes.add(node);
                    node.start();
                }
                for (ChaosNode node : nodes) {
                    node.awaitLive(client);
                }
                for (int round = 0; round < Integer.getInteger("loopkeeper.cluster.figures"); round++) {
                    measure();
                }
            } finally {
                end();
            }
        }
        took.forEach((kind, times) -> System.out.println(
                kind + ": " + times.stream().sorted().map(time -> time + " ms").toList()));
        assertThat(took).hasSize(8);
    }

    private void measure() throws Exception {
        Step start = node -> {
            node.start();
            node.awaitLive(client);
        };
        takeover("kill runtime", ChaosNode::kill, start);
        takeover(
                "kill runtime and warden",
                node -> {
                    long warden = node.warden();
                    node.kill();
                    Signals.send("KILL", warden);
                },
                start);
        takeover("stop runtime", node -> Signals.send("STOP", node.pid()), node -> Signals.send("CONT", node.pid()));
        takeover("stop everything", ChaosNode::freeze, ChaosNode::thaw);
        takeover("cut from the database", node -> node.link.set(false, false, 0), node -> node.link.heal());
        takeover("answers lost", node -> node.link.set(true, false, 0), node -> node.link.heal());
        adoption();
        drain();
    }

    private void note(String kind, long begun) {
        took.computeIfAbsent(kind, one -> new ArrayList<>())
                .add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    private void await(String sql, String wanted) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!database.ask(sql).equals(List.of(wanted))) {
            assertThat(System.nanoTime()).as(sql).isLessThan(until);
            Thread.sleep(10);
        }
    }

    private void takeover(String kind, Step fault, Step healing) throws Exception {
        ChaosNode node = nodes.get(count % nodes.size());
        String run = submit(node);
        long begun = System.nanoTime();
        fault.take(node);
        await("SELECT count(*) > 0 FROM events WHERE epoch > 1 AND run_id = '" + run + "'", "t");
        note("takeover, " + kind, begun);
        await("SELECT status FROM runs WHERE run_id = '" + run + "'", "paused");
        healing.take(node);
        node.awaitLive(client);
        await("SELECT count(*) FROM nodes WHERE state = 'live'", "3");
    }

    private void adoption() throws Exception {
        ChaosNode node = nodes.get(count % nodes.size());
        String run = submit(node);
        node.kill();
        long begun = System.nanoTime();
        node.start();
        await("SELECT count(*) > 0 FROM events WHERE epoch > 1 AND run_id = '" + run + "'", "t");
        note("adoption", begun);
        node.awaitLive(client);
        assertThat(database.ask("SELECT status FROM runs WHERE run_id = '" + run + "'"))
                .containsExactly("running");
        tell(node, run, "/stop", "{\"now\": true}");
        await("SELECT status FROM runs WHERE run_id = '" + run + "'", "stopped");
    }

    /** Of a run that waits for a person. */
    private void drain() throws Exception {
        ChaosNode node = nodes.get(count % nodes.size());
        String run = submit(node);
        Signals.send("KILL", agent());
        await("SELECT status FROM runs WHERE run_id = '" + run + "'", "paused");
        String other = "SELECT (owner IS NOT NULL AND owner <> '" + node.name + "')::text FROM runs WHERE run_id = '"
                + run + "'";
        long begun = System.nanoTime();
        Thread end = new Thread(() -> {
            try {
                node.end();
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        });
        end.start();
        await(other, "true");
        note("planned end", begun);
        end.join();
        node.start();
        node.awaitLive(client);
    }

    /** Answers when its agent runs. */
    private String submit(ChaosNode node) throws Exception {
        Path workspace = Files.createDirectories(shared.resolve("w" + ++count));
        String body = Json.MAPPER
                .createObjectNode()
                .put("manifest", MANIFEST)
                .put("workspace", workspace.toString())
                .toString();
        String run =
                Json.MAPPER.readTree(tell(node, "", "", body)).path("runId").asText();
        Awaitility.await().until(() -> Files.exists(workspace.resolve("pid")));
        return run;
    }

    /** Of the run that was submitted last. */
    private long agent() throws IOException {
        return Long.parseLong(
                Files.readString(shared.resolve("w" + count).resolve("pid")).strip());
    }

    private String tell(ChaosNode node, String run, String verb, String body) throws Exception {
        String url = node.url().orElseThrow() + "/api/v1/runs" + (run.isEmpty() ? "" : "/" + run) + verb;
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(30))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);
        return answer.body();
    }

    private void end() throws Exception {
        for (ChaosNode node : nodes) {
            node.link.heal();
            Signals.send("CONT", Signals.of(node.data));
            if (node.isAlive()) {
                node.kill();
            }
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        for (List<Long> left = Signals.of(folder);
                !left.isEmpty() && System.nanoTime() < until;
                left = Signals.of(folder)) {
            Signals.send("KILL", left);
            Thread.sleep(100);
        }
        for (ChaosNode node : nodes) {
            node.link.close();
        }
    }
}
