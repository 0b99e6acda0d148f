package dev.loopkeeper.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single looks, with a scheduler that answers what the test wants. */
class ControlFilesLookTest {
    private static final String STOP = "{\"action\": \"stop\"}";

    @TempDir
    private Path workspace;

    private final Vertx vertx = Vertx.vertx();
    private final List<StopRun> stops = new CopyOnWriteArrayList<>();
    private final ObjectNode run = Json.MAPPER.createObjectNode();
    private RunAnswer answerToStop = RunAnswer.of(run);
    private ControlFiles files;
    private Path control;

    @BeforeEach
    void serve() throws Exception {
        RecordCodec.register(vertx);
        run.put("runId", "r").put("status", "running").put("workspace", workspace.toString());
        await(RunChannels.GET.serve(vertx.eventBus(), asked -> Future.succeededFuture(RunAnswer.of(run))));
        await(RunChannels.STOP.serve(vertx.eventBus(), asked -> {
            stops.add(asked);
            return Future.succeededFuture(answerToStop);
        }));
        files = new ControlFiles(vertx.eventBus(), vertx.createSharedWorkerExecutor("test-control", 1), runId -> true);
        files.watch("r", workspace.toString());
        control = Files.createDirectories(workspace.resolve(".loopkeeper/control"));
    }

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    private static void await(Future<Void> future) throws TimeoutException {
        assertThat(future.await(60, TimeUnit.SECONDS)).isNull();
    }

    private static void age(Path file) throws IOException {
        assertThat(Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60))))
                .isEqualTo(file);
    }

    @Test
    void theFolderOfAControlFileIsKeptOutOfCommits() throws Exception {
        Files.writeString(control.resolve("r.json"), STOP);
        await(files.scan());
        Path ignore = workspace.resolve(".loopkeeper/.gitignore");
        assertThat(ignore).hasContent("*");

        Files.writeString(ignore, "!mine");
        Files.writeString(control.resolve("r.json"), STOP);
        await(files.scan());
        assertThat(ignore).hasContent("!mine");
    }

    @Test
    void theOldestOfThousandsOfOpenRunsIsNotForgotten() throws Exception {
        for (int other = 0; other < 10_000; other++) {
            files.watch("other-" + other, workspace.resolve("other-" + other).toString());
        }
        Files.writeString(control.resolve("r.json"), STOP);
        for (int look = 0; look < 7; look++) { // a round over all of them
            await(files.scan());
        }
        assertThat(stops).hasSize(1);
    }

    @Test
    void aFileCannotReachTheRunOfAnotherWorkspace() throws Exception {
        run.put("workspace", "/somewhere/else");
        Path file = Files.writeString(control.resolve("r.json"), STOP);
        await(files.scan());
        assertThat(file).as("young: it may be another Loopkeeper's").exists();
        age(file);
        await(files.scan());
        assertThat(control.resolve("r.json.rejected")).hasContent(STOP);
        assertThat(stops).isEmpty();
    }

    @Test
    void anUnreadableFileIsMovedAsideAndDelaysNoOther() throws Exception {
        Path file = Files.writeString(control.resolve("r.json"), STOP);
        age(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-wx------"));
        assumeFalse(Files.isReadable(file), "this user may read everything");
        await(files.scan());
        assertThat(control.resolve("r.json.rejected.txt"))
                .content()
                .contains("cannot be read by user " + System.getProperty("user.name"));
        Files.writeString(control.resolve("r.json"), STOP);
        await(files.scan());
        assertThat(stops).hasSize(1);
    }

    @Test
    void whatCannotBeDoneNowIsDoneLater() throws Exception {
        answerToStop = RunAnswer.refused(new Refusal(RefusalCode.STORE_UNAVAILABLE, "full"));
        Files.writeString(control.resolve("r.json"), STOP);
        await(files.scan());
        assertThat(control.resolve("r.json.taken")).exists();
        answerToStop = RunAnswer.of(run);
        Path next = Files.writeString(control.resolve("r.json"), "{\"action\": \"stop\", \"now\": true}");
        await(files.scan());
        assertThat(next).as("one at a time").exists();
        await(files.scan());
        assertThat(stops.stream().map(StopRun::now)).containsExactly(false, false, true);
        assertThat(control).isEmptyDirectory();
    }

    @Test
    void aFolderThatLeadsOutOfTheWorkspaceIsNotObeyed(@TempDir Path outside) throws Exception {
        Files.delete(control);
        Files.createDirectories(outside.resolve("control"));
        Files.writeString(outside.resolve("control/r.json"), STOP);
        Files.delete(control.getParent());
        Files.createSymbolicLink(control.getParent(), outside);
        await(files.scan());
        assertThat(stops).isEmpty();
        assertThat(outside.resolve("control/r.json")).exists();
    }
}
