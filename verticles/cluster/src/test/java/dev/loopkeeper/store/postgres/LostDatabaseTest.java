package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.Keeper;
import dev.loopkeeper.embed.LoopkeeperOptions;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.StoredEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The connection to the database breaks, by a proxy before it or by the server itself. */
@Isolated("reads the log of the process, or changes what it has once")
class LostDatabaseTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Vertx vertx = Vertx.vertx();
    private final TestDatabase database = TestDatabase.fresh();
    private DatabaseProxy proxy;
    private OpenStore store;

    @BeforeEach
    void open() {
        proxy = await(DatabaseProxy.before(vertx, TestDatabase.port()));
        store = await(TestDatabase.open(vertx, options()));
    }

    @AfterEach
    void close() {
        proxy.up();
        await(store.close());
        await(vertx.close());
    }

    private PostgresOptions options() {
        String url = "postgresql://postgres@127.0.0.1:" + proxy.port() + "/" + database.name();
        return new PostgresOptions(url, Optional.empty(), Duration.ofSeconds(8));
    }

    /** What was committed is found, what was asked again is refused: nothing is there twice. */
    @Test
    void anAppendWhoseAnswerWasLostIsDurableAndItsRepetitionStale() {
        await(store.append(append("run-1", 0, 2)));
        proxy.loseAnswerTo("run-1");

        assertThat(failure(store.append(append("run-1", 2, 2)))).isInstanceOf(StoreUnavailableException.class);
        assertThat(failure(store.lastPosition())).isInstanceOf(StoreUnavailableException.class);
        proxy.up();

        Awaitility.await()
                .atMost(SOON)
                .until(() -> await(store.ready().map(true).otherwise(false)));
        assertThat(failure(store.append(append("run-1", 2, 2)))).isInstanceOf(StaleAppendException.class);
        assertThat(await(store.events("run-1", 0, 10))).hasSize(4);
        assertThat(await(store.lastPosition())).isEqualTo(4);
    }

    /** The client of the database would print what ended a connection past the log, unless it is received. */
    @Test
    void reconnectsToAServerThatEndsEveryConnection() {
        PrintStream usual = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            isReachedAgain();
        } finally {
            System.setErr(usual);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("PgException");
    }

    private void isReachedAgain() {
        await(store.append(created("run-1")));
        assertThat(database.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = 'loopkeeper' AND datname = current_database()"))
                .hasSize(2)
                .containsOnly("t");

        Awaitility.await()
                .atMost(SOON)
                .until(() -> await(store.append(append("run-1", 1, 1))
                        .map(true)
                        .recover(cause -> cause instanceof StaleAppendException
                                ? Future.succeededFuture(true)
                                : Future.succeededFuture(false))));
        assertThat(await(store.events("run-1", 0, 10))).hasSize(2);
    }

    /** A client that sleeps in a transaction must not be able to stop the node for longer than a statement may take. */
    @Test
    void anAppendBehindAForeignLockTimesOutAlone() throws SQLException {
        await(store.append(created("run-1")));
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            assertThat(statement.executeUpdate("UPDATE feed SET position = position"))
                    .isEqualTo(1);

            assertThat(failure(store.append(append("run-1", 1, 1)))).isInstanceOf(StoreUnavailableException.class);
            other.rollback();
        }
        Awaitility.await()
                .atMost(SOON)
                .until(() -> await(store.ready().map(true).otherwise(false)));
        assertThat(await(store.append(append("run-1", 1, 1))).lastPosition()).isEqualTo(2);
    }

    /** No side closes the connection: only a timeout shows it. What it still executes is over before anything new is. */
    @Test
    void anAnswerThatNeverComesIsGivenUpAndTheOldConnectionEnded() {
        await(store.append(created("run-1")));
        proxy.blackHole();

        assertThat(failure(store.append(append("run-1", 1, 1)))).isInstanceOf(StoreUnavailableException.class);
        proxy.up();

        Awaitility.await()
                .atMost(SOON)
                .until(() -> await(store.ready().map(true).otherwise(false)));
        assertThat(failure(store.append(append("run-1", 1, 1)))).isInstanceOf(StaleAppendException.class);
        assertThat(await(store.events("run-1", 0, 10))).hasSize(2);
    }

    /** Each question used to cost its patience again, one after the other. */
    @Test
    void callersOfAHangingDatabaseGetATimeoutTogether() {
        Duration patience = Duration.ofMillis(500);
        OpenStore impatient = await(TestDatabase.open(vertx, options().patience(patience)));
        await(impatient.append(created("run-1")));
        proxy.blackHole();
        List<Future<?>> asked = new ArrayList<>();
        for (int question = 0; question < 1_100; question++) {
            asked.add(impatient.find("run-1"));
            asked.add(impatient.addReceipt("run-1", "{}"));
        }
        // One after the other they would take many times as long as this waits.
        assertThat(await(Future.join(asked).otherwiseEmpty().map(true))).isTrue();

        assertThat(asked).allMatch(answer -> answer.cause() instanceof StoreUnavailableException);
        proxy.up();
        Awaitility.await()
                .atMost(SOON)
                .until(() -> await(impatient.ready().map(true).otherwise(false)));
        assertThat(await(impatient.find("run-1"))).isPresent();
        await(impatient.close());
    }

    /** The whole engine on this store: its runs continue when the database is back. */
    @Test
    void aRunContinuesWhenTheDatabaseIsBack(@TempDir Path folder) throws IOException {
        Path data = folder.resolve("data");
        LoopkeeperOptions options =
                LoopkeeperOptions.of(data).store((node, mine) -> PostgresEventStore.open(node, options(), mine));
        try (Keeper keeper = new Keeper(data, folder.resolve("workspace"), options)) {
            String runId = keeper.start("""
                    name: two
                    agents:
                      first: {command: [sh, -c, "until [ -e go ]; do sleep 0.1; done; echo 1 >> launched"]}
                      second: {command: [sh, -c, "echo 2 >> launched"]}
                    phases:
                      - {name: one, task: first}
                      - {name: two, task: second}
                    """);
            Awaitility.await()
                    .atMost(SOON)
                    .until(() -> keeper.steps(runId).path(0).path("pid").asLong() > 0);
            long pid = keeper.steps(runId).path(0).path("pid").asLong();
            proxy.down();
            Files.createFile(keeper.workspace().resolve("go"));
            Awaitility.await()
                    .atMost(SOON)
                    .until(() ->
                            ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
            assertThat(Files.readAllLines(keeper.workspace().resolve("launched")))
                    .containsExactly("1");
            proxy.up();
            // A connection that was begun just before is cut, and a caller learns that the database is unavailable.
            Awaitility.await()
                    .atMost(SOON)
                    .ignoreException(StoreUnavailableException.class)
                    .until(() -> !keeper.events(runId).isEmpty());

            assertThat(keeper.until(runId, "completed", "failed", "stopped", "paused")
                            .path("status")
                            .asText())
                    .isEqualTo("completed");
            assertThat(Files.readAllLines(keeper.workspace().resolve("launched")))
                    .containsExactly("1", "2");
            assertThat(keeper.events(runId).stream().map(StoredEvent::sequence))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, keeper.events(runId).size())
                                    .boxed()
                                    .toList());
        }
    }
}
