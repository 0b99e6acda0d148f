package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.sqlite.OutsideReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts, stops, kills, pauses, resumes and restarts at random, with agents that do not want to go, a data folder in
 * their workspace and another process that reads, copies and vacuums the database.
 * {@code -Dloopkeeper.torture.sequences=200} makes it long, {@code -Dloopkeeper.seed=N} repeats the choices of
 * an earlier one.
 */
class StopTortureIT {
    private static final int SEQUENCES = Integer.getInteger("loopkeeper.torture.sequences", 6);
    private static final long SEED = Long.getLong("loopkeeper.seed", 20_261_126L);
    private static final int RUNS_AT_ONCE = 3;
    private static final int LONGEST_SEQUENCE = 5;
    private static final long LOOK_EVERY_MILLIS = 50;

    /** Each leaves something behind, for most of which a polite signal is not enough. MARK stands in its command. */
    private static final List<String> NASTY = List.of(
            "sh -c 'while :; do sleep 0.2; done # MARK' & wait",
            "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 0.2; done # MARK' & while :; do sleep 0.1; done",
            "setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 0.2; done # MARK' & exit 0",
            "(setsid sh -c 'while :; do sleep 0.2; done # MARK' </dev/null >/dev/null 2>&1 &); sleep 100",
            "nohup sh -c 'while :; do sleep 0.2; done # MARK' >/dev/null 2>&1 & sleep 0.1; exit 3",
            "env -i sh -c 'trap \"\" TERM; while :; do sleep 0.2; done # MARK' & sleep 100",
            "i=0; while [ $i -lt 40 ]; do i=$((i+1)); setsid sh -c 'trap \"\" TERM; sleep 300; : # MARK' & done; wait",
            "sh -c 'while :; do sleep 0.2; done # MARK' & kill -STOP $!; sleep 0.3; exit 0");

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private final String mark = "torture-" + UUID.randomUUID();
    private final ScheduledExecutorService observer = Executors.newSingleThreadScheduledExecutor();
    private final List<String> twice = new CopyOnWriteArrayList<>();
    private volatile List<String> watched = List.of();
    private Program server;
    private Api api;

    @AfterEach
    void endServer() {
        observer.shutdownNow();
        server.close();
    }

    @Test
    void nothingOutlivesItsStop() throws Exception {
        System.out.println("loopkeeper.seed=" + SEED + ", sequences=" + SEQUENCES);
        restart();
        try (OutsideReader reader = OutsideReader.of(folder.resolve("data"), folder.resolve("copies"))) {
            disturbAll();
            int rounds = reader.rounds();
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> reader.rounds() > rounds);
            assertThat(reader.end()).as("what the outside reader found").isEmpty();
            System.out.println("read, copied and vacuumed from outside: " + reader.rounds() + " times");
        }
    }

    private void disturbAll() throws Exception {
        ScheduledFuture<?> watching =
                observer.scheduleWithFixedDelay(this::watch, 0, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        for (int sequence = 0; sequence < SEQUENCES; sequence += RUNS_AT_ONCE) {
            List<String> runs = new ArrayList<>();
            for (int run = 0; run < RUNS_AT_ONCE; run++) {
                runs.add(api.submit(manifest(), folder));
            }
            watched = List.copyOf(runs);
            int disturbances = random.nextInt(LONGEST_SEQUENCE * RUNS_AT_ONCE);
            for (int disturbance = 0; disturbance < disturbances; disturbance++) {
                disturb(runs.get(random.nextInt(RUNS_AT_ONCE)));
            }
            for (String runId : runs) {
                checkStopped(runId);
            }
            Processes.awaitNoneWith(mark);
            assertThat(twice).isEmpty();
            assertThat(watching.isDone()).isFalse();
        }
    }

    private String manifest() {
        String nasty = NASTY.get(random.nextInt(NASTY.size())).replace("MARK", mark);
        ObjectNode manifest = Json.MAPPER.createObjectNode().put("name", "nasty");
        manifest.putObject("agents")
                .putObject("nasty")
                .put("command", nasty)
                .putObject("stop")
                .put("grace", "300ms");
        ObjectNode phase = manifest.putArray("phases").addObject().put("name", "build");
        ObjectNode loop = phase.putObject("loop").put("until", "iterations").put("maxIterations", 0);
        loop.putArray("steps").add("nasty");
        return manifest.toString();
    }

    private void restart() throws IOException {
        server = Program.serve(folder, folder.resolve("data"));
        api = Api.of(server);
    }

    private void disturb(String runId) throws Exception {
        String path = "/runs/" + runId;
        switch (random.nextInt(8)) {
            case 0 -> ask(path + "/stop", "{}");
            case 1 -> ask(path + "/stop", "{\"now\": true}");
            case 2 -> ask(path + "/pause?wait=1s", "{}");
            case 3, 4 -> ask(path + "/resume", "{\"force\": true}");
            case 5 -> ask("/processes/" + runId + "/nasty/kill", "{}");
            case 6 -> {
                server.kill();
                restart();
            }
            default -> {
                server.terminate();
                assertThat(server.endsWithin(Duration.ofMinutes(3).toMillis())).isTrue();
                restart();
            }
        }
    }

    /** Refusals are as good as consent here: what counts is what lives afterwards. */
    private void ask(String path, String body) throws IOException, InterruptedException {
        Api.Answer answer = api.post(path, Json.MAPPER.readTree(body));
        assertThat(answer.status()).as(path + " " + answer.body()).isLessThan(500);
    }

    /** At no time has a run two live steps. */
    private void watch() {
        for (String runId : watched) {
            try {
                Set<String> steps = Processes.stepsOf(runId);
                if (steps.size() > 1) {
                    twice.add(runId + " had at once " + steps);
                }
            } catch (IOException unreadable) {
                twice.add("/proc could not be read: " + unreadable);
            }
        }
    }

    private void checkStopped(String runId) throws IOException, InterruptedException {
        JsonNode run = api.post("/runs/" + runId + "/stop?wait=60s", Json.MAPPER.createObjectNode())
                .body();
        assertThat(run.path("status").asText()).as(run.toString()).isIn("stopped", "failed");
        assertThat(Processes.stepsOf(runId)).isEmpty();
        List<JsonNode> events = api.events(runId);
        Awaitility.await().until(() -> api.events(runId).size() == events.size());
        assertThat(events.get(events.size() - 1).path("type").asText()).isEqualTo("run.ended");
    }
}
