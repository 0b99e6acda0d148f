package dev.loopkeeper.retention;

import static dev.loopkeeper.store.StoreSamples.START;
import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static dev.loopkeeper.store.StoreSamples.withStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.loopkeeper.data.RunFolders;
import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PrunedRuns;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreChannels.PruneRuns;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removing and adding whole runs, also with a crash at each point in between. */
class RetentionTest {
    private static final Instant LATER = START.plus(Duration.ofDays(40));

    @TempDir
    private Path data;

    private final Vertx vertx = Vertx.vertx();
    private final List<String> reported = new ArrayList<>();
    private OpenStore store;
    private Retention retention;

    @BeforeEach
    void open() {
        store = await(SqliteEventStore.open(vertx, data));
        retention = new Retention(vertx, store, data, reported::addAll);
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    private Path run(String runId, String status) throws IOException {
        await(store.append(withStatus(created(runId), status, START)));
        return folder(runId);
    }

    private Path folder(String runId) throws IOException {
        Path folder = data.resolve("runs").resolve(runId);
        Files.createDirectories(folder.resolve("steps/dev.1"));
        Files.writeString(folder.resolve("steps/dev.1/stdout.log"), "hello");
        Files.writeString(folder.resolve("checkpoint.json"), "{}");
        return folder;
    }

    private PrunedRuns prune(boolean dryRun) {
        return await(retention.prune(new PruneRuns(LATER, 0, Optional.empty(), dryRun, false)));
    }

    @Test
    void aDryRunListsTheRunsAndRemovesNone() throws IOException {
        Path folder = run("old", "completed");

        PrunedRuns pruned = prune(true);

        assertThat(pruned.dryRun()).isTrue();
        assertThat(pruned.runs()).extracting(PrunedRuns.PrunedRun::runId).containsExactly("old");
        assertThat(folder).isDirectory();
        assertThat(await(store.find("old"))).isPresent();
    }

    @Test
    void removesEndedRunsWithTheirFoldersAndTouchesNoOpenOne() throws IOException {
        Path ended = run("ended", "failed");
        List<Path> open = new ArrayList<>();
        for (String status : List.of("queued", "running", "waiting", "paused", "stopping")) {
            open.add(run(status, status));
        }

        assertThat(prune(false).runs()).extracting(PrunedRuns.PrunedRun::runId).containsExactly("ended");

        assertThat(ended).doesNotExist();
        assertThat(await(store.find("ended"))).isEmpty();
        assertThat(open)
                .allSatisfy(folder ->
                        assertThat(folder.resolve("steps/dev.1/stdout.log")).hasContent("hello"));
        assertThat(reported).containsExactly("ended");
        assertThat(prune(false).runs()).isEmpty();
        assertThat(data.resolve("unfinished.json")).doesNotExist();
    }

    @Test
    void removesMoreRunsThanFitIntoOnePart() {
        List<Future<Appended>> appends = IntStream.range(0, 120)
                .mapToObj(run -> store.append(withStatus(created("run-" + run), "failed", START)))
                .toList();
        await(Future.all(appends));

        assertThat(prune(false).runs()).hasSize(120).doesNotHaveDuplicates();
        assertThat(await(store.eventsAfter(0, 1000))).isEmpty();
    }

    /** It stopped the removal of all runs behind it. */
    @Test
    void anUnreadableFolderKeepsItsRunUntilItIsReadable() throws IOException {
        Path closed = Files.createDirectory(run("closed", "completed").resolve("closed"));
        run("open", "completed");
        closed.toFile().setReadable(false);
        assumeFalse(Files.isReadable(closed), "this user may read every folder");

        PrunedRuns first = prune(false);

        assertThat(first.runs()).extracting(PrunedRuns.PrunedRun::runId).containsExactly("open");
        assertThat(first.keptBack()).singleElement().satisfies(kept -> {
            assertThat(kept.forcible()).isFalse();
            assertThat(kept.reasons().get(0))
                    .isEqualTo(closed + " cannot be read by its owner; make it readable with: chmod -R u+rwX "
                            + closed.getParent());
        });
        assertThat(await(store.find("closed"))).isPresent();
        closed.toFile().setReadable(true);
        assertThat(prune(false).runs()).extracting(PrunedRuns.PrunedRun::runId).containsExactly("closed");
    }

    @Test
    void aFolderThatCannotBeRemovedStopsNoOtherRemoval() throws IOException {
        Path first = folder("first");
        Path closed = Files.createDirectory(first.resolve("closed"));
        Path second = folder("second");
        new UnfinishedRuns(data).write(List.of(UnfinishedRun.of("first"), UnfinishedRun.of("second")));
        closed.toFile().setReadable(false);
        assumeFalse(Files.isReadable(closed), "this user may read every folder");

        await(retention.finish());

        assertThat(second).doesNotExist();
        data.resolve("runs/.removed-first/closed").toFile().setReadable(true);
        await(retention.finish());
        assertThat(data.resolve("runs")).isEmptyDirectory();
        assertThat(data.resolve("unfinished.json")).doesNotExist();
    }

    @Test
    void removesAWriteProtectedFolder() throws IOException {
        Path packages = run("ended", "completed").resolve("steps");
        assertThat(packages.toFile().setWritable(false)).isTrue();

        assertThat(prune(false).runs()).hasSize(1);

        assertThat(packages).doesNotExist();
    }

    @Test
    void followsNoLinkOutOfAFolder(@TempDir Path elsewhere) throws IOException {
        Path precious = Files.writeString(elsewhere.resolve("precious"), "mine");
        Files.createSymbolicLink(run("ended", "completed").resolve("link"), elsewhere);

        assertThat(prune(false).runs()).hasSize(1);

        assertThat(precious).hasContent("mine");
    }

    @Test
    void aCrashAfterTheStoreForgotARunIsFinishedByTheNextStart() throws IOException {
        Path gone = folder("gone");
        Path kept = run("kept", "completed");
        new UnfinishedRuns(data).write(List.of(UnfinishedRun.of("gone"), UnfinishedRun.of("kept")));

        await(retention.finish());
        await(retention.finish());

        assertThat(gone).doesNotExist();
        assertThat(kept).isDirectory();
        assertThat(data.resolve("unfinished.json")).doesNotExist();
    }

    @Test
    void whatACrashLeftHalfRemovedOrHalfUnpackedIsSweptAndNothingElse() throws IOException {
        Path stranger = folder("unknown-to-the-store");
        Files.move(folder("a"), data.resolve("runs/.removed-a"));
        Files.move(folder("b"), data.resolve("runs/.import-b"));

        await(retention.finish());

        try (var left = Files.list(data.resolve("runs"))) {
            assertThat(left).containsExactly(stranger);
        }
    }

    @Test
    void anImportThatTheStoreRefusesLeavesNothing() throws IOException {
        await(store.append(created("run-1")));
        Path draft = new RunFolders(data).draft("run-1");
        Files.writeString(draft.resolve("checkpoint.json"), "{}");

        assertThat(failure(retention.restore(append("run-1", 0, 2), List.of(), draft)))
                .isInstanceOf(StaleAppendException.class);

        assertThat(await(store.events("run-1", 0, 10))).hasSize(1);
    }

    @Test
    void aCrashBetweenTheFolderAndTheRowsOfAnImportLeavesNothing() throws IOException {
        new UnfinishedRuns(data).write(List.of(UnfinishedRun.of("run-1")));
        Path folder = folder("run-1");

        await(retention.finish());

        assertThat(folder).doesNotExist();
    }
}
