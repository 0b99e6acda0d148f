package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.OwnerLock;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose record cannot be read, while no server serves it. */
class UnreadableRunTest {
    private static final Instant NOW = Instant.parse("2026-11-20T15:12:33.120Z");
    private static final List<String> READERS = List.of("explain", "logs");

    @TempDir
    Path data;

    private Terminal terminal;

    @BeforeEach
    void record() {
        terminal = new Terminal(data);
        Vertx vertx = Vertx.vertx();
        OwnerLock lock = new DataFolder(data).prepare().own();
        OpenStore store = SqliteEventStore.open(vertx, data).await();
        store.append(ofANewerVersion()).await();
        store.close().await();
        lock.close();
        vertx.close().await();
    }

    private static AppendEvents ofANewerVersion() {
        ObjectNode run = Json.MAPPER.createObjectNode();
        run.put("runId", "one").put("name", "demo").put("status", "paused").put("resumable", true);
        run.put("execution", 1).put("sequence", 2).put("createdAt", NOW.toString());
        run.putObject("pause").put("reason", "operator").put("message", "why").put("since", NOW.toString());
        RunRow row = new RunRow("one", "demo", "paused", NOW, run);
        List<StoredEvent> events = List.of(later(1, "run.created"), later(2, "step.started"));
        return new AppendEvents("one", 0, 1, events, row, Optional.empty(), Optional.empty());
    }

    private static StoredEvent later(int sequence, String type) {
        ObjectNode data = Json.MAPPER.createObjectNode().put("formatVersion", 99);
        return new StoredEvent("one", sequence, NOW, type, 1, data);
    }

    private void change(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("events.db"));
                Statement sql = connection.createStatement()) {
            sql.executeUpdate(statement);
        }
    }

    @Test
    void ofANewerVersionSaysSoAndIsShownAsItWasRecorded() {
        for (String command : READERS) {
            Terminal.CommandOutput result = terminal.type(command, "one");
            assertThat(result.exitCode()).as(command).isEqualTo(7);
            assertThat(result.err())
                    .as(command)
                    .startsWith("loopkeeper: run one cannot be read: an event ")
                    .endsWith(" of format 99, the known format is 1: use the version of Loopkeeper that wrote it\n");
        }
        assertThat(terminal.type("runs").out()).contains("one", "paused");
        for (String command : List.of("show", "wait", "watch")) {
            assertThat(terminal.type(command, "one").out()).as(command).contains("one is paused");
        }
    }

    @Test
    void thatIsDamagedSaysSo() throws SQLException {
        change("UPDATE events SET checksum = 0");
        for (String command : READERS) {
            Terminal.CommandOutput result = terminal.type(command, "one");
            assertThat(result.exitCode()).as(command).isEqualTo(7);
            assertThat(result.err())
                    .as(command)
                    .contains("run one cannot be read: ", " of run one is damaged", "restore the file from a backup")
                    .doesNotContain("please report");
        }
        change("UPDATE runs SET checksum = 0");
        Terminal.CommandOutput result = terminal.type("show", "one");
        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.err()).contains("the row of run one is damaged").doesNotContain("please report");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wait one",
                "resume one",
                "show one",
                "show one build.1.dev.1",
                "logs one",
                "explain one",
                "watch one",
                "diff one",
                "merge one",
                "stop one",
                "export one"
            })
    void withADamagedRowNamesLocationAndRemedy(String line) throws SQLException {
        change("UPDATE runs SET view = '{bad'");
        assertNamesLocationAndRemedy(line, "the row of run one is damaged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"explain one", "logs one", "export one"})
    void withADamagedEventNamesLocationAndRemedy(String line) throws SQLException {
        change("UPDATE events SET checksum = 0");
        assertNamesLocationAndRemedy(line, " of run one is damaged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"runs", "wait one", "resume one", "show -", "export one"})
    void inAStoreThatCannotBeReadIsNoFailedRun(String line) throws SQLException {
        change("ALTER TABLE runs RENAME TO elsewhere");
        assertNamesLocationAndRemedy(line, "no such table: runs");
    }

    private void assertNamesLocationAndRemedy(String line, String found) {
        Terminal.CommandOutput result = terminal.type(line.split(" "));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(7);
        assertThat(result.err())
                .contains(data.resolve("events.db").toString(), found)
                .containsAnyOf(
                        "restore the file from a backup",
                        "Use the Loopkeeper that wrote them, or name another data folder")
                .doesNotContain("internal error", "Exception");
    }

    @Test
    void thatIsDamagedIsListedWithTheReason() throws SQLException {
        change("UPDATE runs SET view = '{bad'");
        Terminal.CommandOutput result = terminal.type("runs");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains("the row of run one is damaged", "restore the file from a backup")
                .doesNotContain("nobody");
        assertThat(result.err()).doesNotContain("serve");
    }
}
