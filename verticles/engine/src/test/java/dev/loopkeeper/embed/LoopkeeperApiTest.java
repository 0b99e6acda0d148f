package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.request.PruneRequest;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs, exports, processes, receipts and the feed of {@link Loopkeeper}. */
class LoopkeeperApiTest {
    private static final String MANIFEST = """
            name: face
            agents: {dev: {command: [./dev.sh]}}
            phases: [{name: one, task: dev}]
            """;

    @TempDir
    Path folder;

    private Keeper keeper;

    @BeforeEach
    void start() throws Exception {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("w"));
    }

    @AfterEach
    void close() {
        keeper.close();
    }

    private Loopkeeper face() {
        return keeper.loopkeeper();
    }

    private static String all(ReadStream<Buffer> stream) {
        return new String(Keeper.await(bytes(stream)).getBytes(), StandardCharsets.UTF_8);
    }

    private static Future<Buffer> bytes(ReadStream<Buffer> stream) {
        Promise<Buffer> read = Promise.promise();
        Buffer all = Buffer.buffer();
        stream.exceptionHandler(read::fail)
                .endHandler(end -> read.complete(all))
                .handler(all::appendBuffer);
        return read.future();
    }

    @Test
    void aFollowedLogEndsWithItsStep() throws Exception {
        keeper.script("dev.sh", "echo begun; while [ ! -e go ]; do sleep 0.02; done; echo ended");
        String run = keeper.start(MANIFEST);
        Awaitility.await().until(() -> !keeper.steps(run).isEmpty());
        ReadStream<Buffer> again = Keeper.await(face().log(run, "one.dev.1", LogSelection.STDOUT.following()));
        Future<Buffer> read = bytes(again);
        Awaitility.await()
                .until(() -> all(Keeper.await(face().log(run, "one.dev.1", LogSelection.STDOUT)))
                        .equals("begun\n"));
        assertThat(read.isComplete()).isFalse();

        Files.createFile(folder.resolve("w/go"));

        assertThat(Keeper.await(read).toString()).isEqualTo("begun\nended\n");
        assertThat(all(Keeper.await(face().log(run, "one.dev.1", LogSelection.STDOUT.from(6)))))
                .isEqualTo("ended\n");
        assertThatThrownBy(() -> Keeper.await(face().log(run, "one.dev.9", LogSelection.STDOUT)))
                .isInstanceOfSatisfying(
                        RunRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_FOUND));
        assertThatThrownBy(() -> LogSelection.STDOUT.stream("../../x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLogIsReadNoFasterThanItIsTaken() throws Exception {
        keeper.script("dev.sh", "head -c 1000000 /dev/zero");
        String run = keeper.start(MANIFEST);
        keeper.untilEnded(run);
        ReadStream<Buffer> stream = Keeper.await(face().log(run, "one.dev.1", LogSelection.STDOUT));
        List<Integer> pieces = new CopyOnWriteArrayList<>();
        Promise<Void> end = Promise.promise();

        stream.pause().endHandler(end::complete).handler(piece -> pieces.add(piece.length()));
        stream.fetch(2);
        Awaitility.await().until(() -> pieces.size() == 2);
        Keeper.await(keeper.vertx().timer(100));
        assertThat(pieces).hasSize(2);

        stream.resume();
        Keeper.await(end.future());
        assertThat(pieces.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_000_000);
    }

    @Test
    void anExportIsABundleAndNeedsARunAtRest() throws Exception {
        keeper.script("dev.sh", "while [ ! -e go ]; do sleep 0.02; done");
        String run = keeper.start(MANIFEST);
        Awaitility.await().until(() -> !keeper.steps(run).isEmpty());
        assertThatThrownBy(() -> Keeper.await(face().export(run)))
                .isInstanceOfSatisfying(
                        RunRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_EXPORTABLE));
        Files.createFile(folder.resolve("w/go"));
        keeper.untilEnded(run);

        byte[] bundle = Keeper.await(bytes(Keeper.await(face().export(run)))).getBytes();

        List<String> names = new ArrayList<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bundle))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        assertThat(names).contains("events.jsonl", "manifest.json", "files/steps/one.dev.1/context.json");
    }

    @Test
    void anAgentIsListedKilledAndHasAReceipt() throws Exception {
        keeper.script("dev.sh", "exec sleep 600");
        String run = keeper.start(MANIFEST);
        Awaitility.await()
                .until(() -> Keeper.await(face().processes()).stream()
                        .map(LiveProcess::runId)
                        .toList()
                        .contains(run));

        KillReceipt killed = Keeper.await(face().kill(run, "dev", true));

        assertThat(killed.outcome()).isEqualTo(KillReceipt.Outcome.gone);
        Awaitility.await()
                .untilAsserted(() -> assertThat(Keeper.await(face().receipts(run, Optional.empty()))
                                .receipts())
                        .extracting(KillReceipt::processes)
                        .contains(killed.processes()));
        ReceiptPage page = Keeper.await(face().receipts(run, Optional.empty()));
        assertThat(Keeper.await(face().receipts(run, page.nextCursor())).receipts())
                .isEmpty();
        assertThat(Keeper.await(face().reap(true)).strays()).isEmpty();
    }

    @Test
    void theFeedOverAllRunsContinuesBehindItsCursor() throws Exception {
        keeper.script("dev.sh", "true");
        String one = keeper.start(MANIFEST);
        keeper.untilEnded(one);
        List<FeedEvent> first = new CopyOnWriteArrayList<>();
        EventSubscription subscription = Keeper.await(face().feed(0, first::add));
        subscription.close();
        long cursor = first.get(first.size() - 1).cursor();
        List<FeedEvent> second = new CopyOnWriteArrayList<>();

        Keeper.await(face().feed(cursor, second::add));
        String two = keeper.start(MANIFEST);
        keeper.untilEnded(two);

        assertThat(first).extracting(event -> event.recorded().runId()).containsOnly(one);
        Awaitility.await()
                .untilAsserted(() -> assertThat(second)
                        .hasSameSizeAs(keeper.events(two))
                        .extracting(event -> event.recorded().runId())
                        .containsOnly(two));
        assertThat(second).extracting(FeedEvent::cursor).isSorted();
        assertThat(Keeper.await(face().cursor()))
                .isGreaterThanOrEqualTo(second.get(second.size() - 1).cursor());
    }

    @Test
    void aCursorOfAnotherStoreOrPageIsRefused() throws Exception {
        keeper.script("dev.sh", "true");
        String run = keeper.start(MANIFEST);
        keeper.untilEnded(run);

        refused("cursor 1000000 belongs to another store", face().feed(1_000_000, event -> {}));
        refused("nextCursor", face().items(run, 10, Optional.of("x")));
        refused("nextCursor", face().iterations(run, 10, Optional.of("-1")));
        refused("nextCursor", face().receipts(run, Optional.of("")));
        refused("nextCursor", face().steps(run, 10, Optional.of("x")));
    }

    private static void refused(String why, Future<?> asked) {
        assertThatThrownBy(() -> Keeper.await(asked))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aRunIsReadInPagesAndPruned() throws Exception {
        keeper.script("dev.sh", "true");
        String run = keeper.start(MANIFEST);
        keeper.untilEnded(run);

        assertThat(Keeper.await(face().step(run, "one.dev.1")).agent()).isEqualTo("dev");
        assertThat(Keeper.await(face().checkpoint(run)).run().runId()).isEqualTo(run);
        assertThat(Keeper.await(face().items(run, 10, Optional.empty())).items())
                .isEmpty();
        assertThat(Keeper.await(face().iterations(run, 10, Optional.empty())).iterations())
                .isEmpty();
        assertThat(Keeper.await(face().events(run, 0, 1))).hasSize(1);
        assertThat(Keeper.await(face().context(run, "one.dev.1")).step().stepId())
                .isEqualTo("one.dev.1");
        assertThatThrownBy(() -> Keeper.await(face().diff(run)))
                .isInstanceOfSatisfying(
                        RunRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NO_WORKTREE));
        assertThat(Keeper.await(face().validate(MANIFEST, RunOptions.DEFAULTS.workspace(folder.resolve("w")))))
                .singleElement()
                .satisfies(warning -> assertThat(warning.message()).contains("no budget"));
        assertThatThrownBy(() ->
                        Keeper.await(face().validate("name: x", RunOptions.DEFAULTS.workspace(folder.resolve("w")))))
                .isInstanceOf(InvalidManifestException.class);
        PruneRequest old = PruneRequest.DRY.olderThan(Duration.ZERO).removing();
        assertThat(Keeper.await(face().prune(old)).runs()).hasSize(1);
        assertThatThrownBy(() -> Keeper.await(face().run(run))).isInstanceOf(RunRefusedException.class);
    }
}
