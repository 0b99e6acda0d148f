package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.sqlite.OutsideReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the server at random moments while runs of all kinds are under way, its data folder lies in their workspace and
 * another process reads, copies and vacuums the database. {@code -Dloopkeeper.torture.kills=2000}
 * makes it long, {@code -Dloopkeeper.seed=N} repeats the choices of an earlier one.
 */
class CrashTortureIT {
    private static final int KILLS = Integer.getInteger("loopkeeper.torture.kills", 3);
    private static final long SEED = Long.getLong("loopkeeper.seed", 20_261_126L);
    private static final int OPEN_RUNS = 6;
    private static final int LONGEST_LIFE_MILLIS = 1500;
    private static final int LONGEST_START_MILLIS = 1000;
    private static final Set<String> GOING = Set.of("queued", "running", "waiting", "stopping");

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private final SoftAssertions softly = new SoftAssertions();
    private final TortureWitness witness = new TortureWitness(softly);
    private final List<String> runs = new ArrayList<>();
    private Path data;
    private TortureAgents agents;

    @Test
    void nothingAcknowledgedIsLostAndNothingRunsTwice() throws Exception {
        System.out.println("loopkeeper.seed=" + SEED + ", kills=" + KILLS);
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        data = workspace.resolve("data");
        agents = new TortureAgents(workspace, random);
        try (OutsideReader reader = OutsideReader.of(data, folder.resolve("copies"))) {
            for (int kill = 0; kill < KILLS; kill++) {
                try (Program server = Program.serve(folder, data)) {
                    liveAndDie(server);
                }
                witness.checkProjections(data);
            }
            int rounds = reader.rounds();
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> reader.rounds() > rounds);
            softly.assertThat(reader.end()).as("what the outside reader found").isEmpty();
            System.out.println("read, copied and vacuumed from outside: " + reader.rounds() + " times");
        }
        try (Program server = Program.serve(folder, data)) {
            Api api = Api.of(server);
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> resting(api));
            checkSteps(api);
            checkEvents(api);
        }
        softly.assertAll();
        assertThat(Processes.with("LOOPKEEPER_DATA=" + data)).isEmpty();
    }

    private void liveAndDie(Program server) throws IOException, InterruptedException {
        if (random.nextInt(4) == 0 && !server.endsWithin(random.nextInt(LONGEST_START_MILLIS))) {
            server.kill();
            return;
        }
        Api api = Api.of(server);
        checkEvents(api);
        List<JsonNode> feed = api.feed();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(LONGEST_LIFE_MILLIS));
        while (System.nanoTime() < end) {
            witness.acknowledged(disturb(api));
            witness.checkProjections(data);
        }
        if (random.nextInt(8) == 0) {
            server.terminate();
            softly.assertThat(server.endsWithin(random.nextInt(200)) || server.isAlive())
                    .isTrue();
        }
        server.kill();
        witness.published(feed);
    }

    /** Answers with what the server said. */
    private JsonNode disturb(Api api) throws IOException, InterruptedException {
        int choice = random.nextInt(20);
        if (runs.isEmpty() || (choice < 4 && open(api) < OPEN_RUNS)) {
            Api.Answer created = api.post("/runs", agents.submission());
            assertThat(created.status()).as(created.toString()).isEqualTo(201);
            runs.add(created.body().path("runId").asText());
            return created.body();
        }
        String path = "/runs/" + runs.get(runs.size() - 1 - random.nextInt(Math.min(runs.size(), OPEN_RUNS)));
        if (choice < 6) {
            return api.post(path + "/pause", Json.MAPPER.createObjectNode()).body();
        } else if (choice < 7) {
            return api.post(path + "/stop", Json.MAPPER.createObjectNode()).body();
        } else if (choice < 14) {
            return api.post(path + "/resume", wayOut(api.get(path))).body();
        }
        return api.get(path);
    }

    private static ObjectNode wayOut(JsonNode run) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        JsonNode allowed = run.path("pause").path("allowedActions");
        return allowed.isEmpty()
                ? body.put("force", true)
                : body.put("action", allowed.path(0).asText());
    }

    private static int open(Api api) throws IOException, InterruptedException {
        return api.get("/runs?limit=1000&status=queued,running,waiting,stopping,paused")
                .path("runs")
                .size();
    }

    private static boolean resting(Api api) throws IOException, InterruptedException {
        for (JsonNode run : api.get("/runs?limit=1000").path("runs")) {
            if (GOING.contains(run.path("status").asText())) {
                return false;
            }
        }
        return true;
    }

    private void checkEvents(Api api) throws IOException, InterruptedException {
        for (String runId : runs) {
            witness.check(runId, api.events(runId));
        }
    }

    /** What the history says of each step against what its agent knows. */
    private void checkSteps(Api api) throws IOException, InterruptedException {
        TortureAgents.AgentRecords diary = agents.diary(softly);
        for (JsonNode run : api.get("/runs?limit=1000").path("runs")) {
            String runId = run.path("runId").asText();
            for (JsonNode step : api.get("/runs/" + runId + "/steps").path("steps")) {
                String name = runId + "/" + step.path("stepId").asText();
                softly.assertThat(step.path("status").asText()).as(name).isNotEqualTo("running");
                Long pid = diary.pids().remove(name);
                softly.assertThat(pid == null || pid == step.path("pid").asLong())
                        .as("%s has the pid %d: %s", name, pid, step)
                        .isTrue();
                Integer code = diary.exitCodes().get(name);
                boolean cancelled = step.path("status").asText().equals("cancelled");
                softly.assertThat(code == null
                                || cancelled
                                || code == step.at("/result/exitCode").asInt(-1))
                        .as("%s ended with %d: %s", name, code, step)
                        .isTrue();
            }
        }
        softly.assertThat(diary.pids()).as("steps that no history knows").isEmpty();
    }
}
