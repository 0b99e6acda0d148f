package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schedules that fire at once, whose runs share a pool, and a server that is killed in the meantime. */
class FiresIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int SCHEDULES = 8;
    private static final String MANIFEST = """
            name: night
            agents: {dev: {command: ./dev.sh, pool: few}}
            phases: [{name: only, task: dev}]
            """;

    @TempDir
    private Path folder;

    private Agents agents;

    /** The first kill hits fires that are recorded and not submitted yet, the second one places of agents that have ended. */
    @Test
    void killsAtAFireAndAtTheEndOfAgentsNeitherLoseNorDoubleARun() throws Exception {
        agents = new Agents(folder);
        agents.script("dev", """
                echo "$LOOPKEEPER_RUN_ID" >> runs
                touch "alive.$LOOPKEEPER_RUN_ID"; ls alive.* | wc -l >> most
                while [ ! -e go ]; do sleep 0.02; done
                sleep 0.1
                rm "alive.$LOOPKEEPER_RUN_ID"; touch "ended.$LOOPKEEPER_RUN_ID\"""");
        Instant time;
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            time = Instant.ofEpochSecond(Instant.now().plusSeconds(6).getEpochSecond());
            apply(time);
            assertThat(Instant.now()).isBefore(time);
            killOnce(
                    server,
                    () -> !api.get("/schedules").at("/schedules/0/fires").isEmpty());
        }
        try (Program server = Program.serve(folder, agents.data())) {
            Api.of(server);
            Files.createFile(folder.resolve("go"));
            killOnce(server, () -> ended() > 2);
        }
        try (Program server = Program.serve(folder, agents.data())) {
            Api api = Api.of(server);
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> api.get("/runs?status=completed").path("runs").size() == SCHEDULES);
            for (int number = 0; number < SCHEDULES; number++) {
                JsonNode fires = api.get("/schedules/s" + number).path("fires");
                assertThat(fires).hasSize(1);
                assertThat(Instant.parse(fires.at("/0/at").asText())).isEqualTo(time);
                assertThat(fires.at("/0/outcome").asText()).isEqualTo("started");
            }
            assertThat(api.get("/runs").path("runs")).hasSize(SCHEDULES);
            assertThat(api.get("/pools").at("/pools/0/used").asInt()).isZero();
        }
        assertThat(Files.readAllLines(folder.resolve("runs")))
                .hasSize(SCHEDULES)
                .doesNotHaveDuplicates();
        assertThat(Files.readAllLines(folder.resolve("most")))
                .extracting(String::strip)
                .containsOnly("1", "2");
    }

    /** Each fires once an hour, at this time, whatever the time of day is. */
    private void apply(Instant time) throws IOException {
        Path manifest = Files.writeString(folder.resolve("loopkeeper.yaml"), MANIFEST);
        int rest = 3600 - time.atOffset(ZoneOffset.UTC).get(ChronoField.SECOND_OF_DAY) % 3600;
        StringBuilder text = new StringBuilder("pools: {few: {places: 2}}\nschedules:\n");
        IntStream.range(0, SCHEDULES)
                .forEach(number ->
                        text.append("  - {name: s%d, cron: '0 * * * *', zone: \"+%s\", missed: once, manifest: %s}\n"
                                .formatted(number, LocalTime.ofSecondOfDay(rest % 3600), manifest)));
        Path policy = Files.writeString(folder.resolve("policy.yaml"), text);
        Terminal.CommandOutput result = agents.type("apply", policy.toString());
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private static void killOnce(Program server, Callable<Boolean> happened) throws InterruptedException {
        Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(2)).until(happened);
        server.kill();
    }

    private long ended() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("ended."))
                    .count();
        }
    }
}
