package dev.loopkeeper.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.RealRun;
import dev.loopkeeper.gateway.StreamListener;
import dev.loopkeeper.gateway.TestRuns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that fold events into the snapshot, while runs continue: what they have is the run object, at every event. */
class FeedFoldTest {
    private static final int RUNS = 7;
    private static final int ROUNDS = 40;
    private static final int APPENDS_PER_ROUND = 28;

    @TempDir
    Path data;

    private final Map<String, RealRun> runs = new HashMap<>();
    private final List<Client> clients = new ArrayList<>();
    private GatewayFixture fixture;

    @BeforeEach
    void open() {
        fixture = GatewayFixture.plain(data);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** @param named the runs it requested; empty: all */
    private record Client(String what, Object listener, List<JsonNode> messages, Set<String> named) {
        boolean awaitReceived(long position) {
            return !messages.isEmpty()
                    && messages.get(messages.size() - 1).path("cursor").asLong() >= position;
        }
    }

    /** The rows of a snapshot were newer than its cursor, so events that they held already were sent again. */
    @Test
    void theFeedFoldsToTheRunObjectAtEveryEvent() throws InterruptedException {
        Random random = new Random(20261120);
        for (int run = 0; run < RUNS; run++) {
            runs.put("run-" + run, new RealRun("run-" + run));
        }
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch written = new CountDownLatch(1);
            Thread writer = new Thread(() -> {
                appendRound();
                written.countDown();
            });
            writer.start();
            connect(round, random);
            assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
        }
        runs.values().forEach(run -> GatewayFixture.soon(fixture.bus.append(run.next())));
        clients.forEach(this::check);
    }

    private void appendRound() {
        for (int append = 0; append < APPENDS_PER_ROUND; append++) {
            RealRun run = runs.get("run-" + append % RUNS);
            GatewayFixture.soon(fixture.bus.append(run.next()));
        }
    }

    /** New ones, and those that come back with the cursor of any message that an earlier one has received. */
    private void connect(int round, Random random) {
        Set<String> named = round % 5 == 4 ? Set.of("run-1", "run-3") : Set.of();
        List<String> query = new ArrayList<>();
        if (!named.isEmpty()) {
            query.add("runs=" + String.join(",", named));
        }
        if (round % 3 == 2) {
            List<JsonNode> received =
                    clients.get(random.nextInt(clients.size())).messages();
            await().until(() -> !received.isEmpty());
            JsonNode message = received.get(random.nextInt(received.size()));
            query.add("since=" + message.path("cursor").asText());
        }
        String asked = query.isEmpty() ? "" : "?" + String.join("&", query);
        String what = "round " + round + " " + asked;
        if (round % 2 == 0) {
            FeedListener socket = FeedListener.open(fixture, asked);
            clients.add(new Client(what, socket, socket.messages, named));
        } else {
            StreamListener stream = StreamListener.open(fixture, asked);
            clients.add(new Client(what, stream, stream.messages, named));
        }
    }

    private void check(Client client) {
        long newest = fixture.store.all().stream()
                .filter(event -> client.named().isEmpty()
                        || client.named().contains(event.event().runId()))
                .mapToLong(event -> event.position())
                .max()
                .orElseThrow();
        await(client.what()).until(() -> client.awaitReceived(newest));
        Map<String, ObjectNode> folded = new HashMap<>();
        Set<String> ofSnapshot = new HashSet<>();
        for (JsonNode run : client.messages().get(0).path("runs")) {
            String runId = run.path("runId").asText();
            ofSnapshot.add(runId);
            folded.put(runId, run.deepCopy());
            compare(client, folded.get(runId));
        }
        for (JsonNode event : client.messages().subList(1, client.messages().size())) {
            String runId = event.path("runId").asText();
            long before = folded.containsKey(runId)
                    ? folded.get(runId).path("sequence").asLong()
                    : 0;
            assertThat(event.path("sequence").asLong())
                    .as(client.what() + ", event of " + runId)
                    .isEqualTo(before + 1);
            fold(folded, event);
        }
        Set<String> wanted = client.named().isEmpty() ? runs.keySet() : client.named();
        assertThat(folded.keySet()).containsAll(wanted);
        for (String runId : wanted) {
            assertThat(folded.get(runId).path("sequence").asLong())
                    .as(client.what())
                    .isEqualTo(runs.get(runId).views.keySet().stream()
                            .mapToLong(Long::longValue)
                            .max()
                            .orElseThrow());
        }
        if (!client.what().contains("since") && !client.what().startsWith("round 0")) {
            assertThat(ofSnapshot).as(client.what()).containsAll(wanted);
        }
    }

    private void fold(Map<String, ObjectNode> folded, JsonNode event) {
        String runId = event.path("runId").asText();
        ObjectNode run = folded.computeIfAbsent(runId, fresh -> TestRuns.run(runId, "queued"));
        run.set("sequence", event.path("sequence"));
        if (event.path("type").asText().equals("step.usage")) {
            run.set("usage", event.path("data").path("usage"));
            JsonNode then = runs.get(runId).views.get(event.path("sequence").asLong());
            for (String part : new String[] {"costUsd", "inputTokens", "outputTokens"}) {
                assertThat(run.path("usage").path(part))
                        .as(part + " of " + runId + " at " + event.path("sequence"))
                        .isEqualTo(then.path("usage").path(part));
            }
        }
    }

    /** A snapshot may show a run between two events of one append, of which there is no row. */
    private void compare(Client client, JsonNode run) {
        JsonNode then = runs.get(run.path("runId").asText())
                .views
                .get(run.path("sequence").asLong());
        if (then != null) {
            assertThat(timeless(run)).as(client.what()).isEqualTo(timeless(then));
        }
    }

    /** How long a run has been under way depends on when one looks. */
    private static String timeless(JsonNode run) {
        ObjectNode copy = run.deepCopy();
        copy.remove(List.of("activeMs", "activeSince"));
        return copy.toString();
    }
}
