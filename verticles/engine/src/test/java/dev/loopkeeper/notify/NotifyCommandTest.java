package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.StoredEvent;
import dev.loopkeeper.termination.ResumeAction;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class NotifyCommandTest {
    private static final String NASTY = "`touch pwned` $(touch pwned) ; touch pwned \" ' {{runId}}";

    @TempDir
    private Path data;

    private NotifyHarness harness;
    private String notifier;

    @BeforeEach
    void open() {
        harness = new NotifyHarness(data);
        notifier = harness.deploy(Map.of());
    }

    @AfterEach
    void close() {
        harness.undeploy(notifier);
        harness.close();
    }

    private Path log() {
        return data.resolve("runs/r/notify.log");
    }

    /** Only where a command hangs: the others end on their own, on a machine in use later. */
    private void beImpatient() {
        harness.undeploy(notifier);
        notifier = harness.deploy(harness.impatient(), Map.of());
    }

    private void awaitLog(String content) {
        Awaitility.await()
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readString(log())).isEqualTo(content));
    }

    @Test
    void theWordsOfAListAreFilledInAndReadByNoShell() {
        harness.create(
                "r",
                "[{command: [echo, \"{{name}}|{{runId}}|{{status}}|{{type}}\", \"{{summary}}\"], events: [notice]}]");
        harness.notice("r", 2, NASTY);
        awaitLog("nightly|r|running|notice " + NASTY + "\n");
        assertThat(data.resolve("pwned")).doesNotExist();
    }

    @Test
    void aRunThatWaitsForASlotIsReportedAsQueued() {
        harness.create("r", "[{command: [echo, \"{{status}}: {{summary}}\"], events: [run.queued, run.resumed]}]");
        harness.happens("r", 2, new RunQueued("timer", ResumeAction.CONTINUE, ResumeRequest.PLAIN, Optional.empty()));
        awaitLog("queued: waits for a slot, requested by timer: continue\n");
    }

    @Test
    void aTextGetsVariablesSoThatNothingSaidIsRun() {
        harness.create("r", "[{command: 'printf \"%s %s\\n\" \"{{summary}}\" {{runId}}', events: [notice]}]");
        harness.notice("r", 2, NASTY);
        awaitLog(NASTY + " r\n");
        assertThat(data.resolve("pwned")).doesNotExist();
    }

    @Test
    void aCommandThatFailsIsNotRunAgain() {
        harness.create("r", "[{command: 'echo ran {{summary}}; exit 3', events: [notice]}]");
        harness.notice("r", 2, "one");
        harness.notice("r", 3, "two");
        awaitLog("ran one\nran two\n");
    }

    @Test
    void aCommandThatDoesNotExistHoldsNothingUp() {
        // Not reported from the log: the complaint of the first is written in pieces, between which the second may
        // speak.
        harness.create(
                "r",
                "[{command: [no-such-program], events: [notice]}, {command: 'echo ok > second', events: [notice]}]");
        harness.notice("r", 2, "one");
        Awaitility.await().ignoreExceptions().untilAsserted(() -> {
            assertThat(data.resolve("second")).hasContent("ok");
            assertThat(log()).content().contains("no-such-program");
            assertThat(harness.pending()).isEmpty();
        });
    }

    /** It filled the disk of every run. */
    @Test
    void aCommandThatPrintsWithoutEndFillsNoDisk() throws IOException {
        Files.createDirectories(log().getParent());
        Files.write(log(), new byte[8 << 20]);
        harness.create("r", "[{command: 'yes | head -c 20000000; echo $? > ended', events: [notice]}]");
        harness.notice("r", 2, "one");
        Awaitility.await().ignoreExceptions().untilAsserted(() -> {
            assertThat(data.resolve("ended")).hasContent("0");
            assertThat(log()).hasSize(8 << 20);
            assertThat(Files.readString(log())).startsWith("y\ny\n");
        });
        assertThat(log().resolveSibling("notify.log.1")).hasSize(8 << 20);
    }

    @Test
    void aCommandThatHangsIsKilledWithItsChildrenAndTheNextOneRuns() {
        beImpatient();
        harness.create("r", "[{command: 'sleep 300 & echo $! > child.pid; echo {{summary}}; wait', events: [notice]}]");
        harness.notice("r", 2, "one");
        awaitLog("one\n");
        harness.notice("r", 3, "two");
        awaitLog("one\ntwo\n");
        Awaitility.await().untilAsserted(() -> {
            long child =
                    Long.parseLong(Files.readString(data.resolve("child.pid")).trim());
            assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
        });
    }

    @Test
    void whatACommandLeavesInASessionOfItsOwnEndsWithIt() throws IOException {
        harness.create(
                "r",
                "[{command: 'setsid sleep 300 > /dev/null 2>&1 & one=$!; sleep 300 > /dev/null 2>&1 & echo $one $!',"
                        + " events: [notice]}]");
        harness.notice("r", 2, "one");
        Awaitility.await().ignoreExceptions().untilAsserted(() -> {
            assertThat(harness.pending()).isEmpty();
            assertThat(log()).content().matches("\\d+ \\d+\n");
        });
        awaitEnd(Stream.of(Files.readString(log()).strip().split(" ", -1))
                .map(Long::valueOf)
                .toList());
    }

    @Test
    void whatForkedTwiceAndIgnoresTermIsKilledToo() throws Exception {
        beImpatient();
        harness.create(
                "r",
                "[{command: '(setsid sh -c \"trap : TERM HUP; echo \\$\\$ > twice.pid; while :; do sleep 0.1; done\""
                        + " >/dev/null 2>&1 &); sleep 300', events: [notice]}]");
        harness.notice("r", 2, "one");
        Path pid = data.resolve("twice.pid");
        Awaitility.await()
                .until(() -> Files.exists(pid) && Files.readString(pid).endsWith("\n"));
        long twice = Long.parseLong(Files.readString(pid).trim());
        Awaitility.await()
                .untilAsserted(() -> assertThat(ProcessHandle.of(twice).filter(ProcessHandle::isAlive))
                        .isEmpty());
    }

    /** It continued without a limit, and once more beside each next runtime. */
    @Test
    void aShutdownEndsAHangingCommandAndTheNextStartRepeatsIt() throws Exception {
        Path pids = data.resolve("pids");
        harness.create(
                "r",
                "[{command: 'echo $$ >> " + pids + "; [ $(wc -l < " + pids
                        + ") -ge 2 ] || sleep 250', events: [notice]}]");
        harness.notice("r", 2, "one");
        Awaitility.await()
                .until(() -> Files.exists(pids) && Files.readString(pids).endsWith("\n"));
        long hanging = Long.parseLong(Files.readString(pids).strip());

        harness.undeploy(notifier);

        awaitEnd(List.of(hanging));
        assertThat(harness.pending()).extracting(OutboxCursor::tries).containsExactly(1);
        notifier = harness.deploy(Map.of());
        Awaitility.await().untilAsserted(() -> assertThat(harness.pending()).isEmpty());
        assertThat(Files.readAllLines(pids)).hasSize(2);
    }

    /** It continued without a limit, beside the same command of the next runtime. */
    @Test
    void endsTheCommandOfAKilledRuntimeBeforeItRunsAgain() throws Exception {
        Path pids = data.resolve("pids");
        String hanging = "(setsid sleep 250 & echo $! >> " + pids + "); echo $$ >> " + pids + "; [ $(wc -l < " + pids
                + ") -ge 4 ] || sleep 250";
        CommandLine command = new CommandLine(List.of("sh", "-c", hanging), false);
        Targets targets = new Targets("nightly", data.toString(), data.toString(), List.of());
        StoredEvent event = new StoredEvent(
                "r",
                2,
                Instant.EPOCH,
                "notice",
                1,
                Json.MAPPER.createObjectNode().put("message", "one"));
        Message message = Message.of(event, "nightly", Optional.empty());
        WorkerExecutor workers = harness.vertx.createSharedWorkerExecutor("commands");
        NotifyCommand killed = new NotifyCommand(harness.vertx, workers, data, Duration.ofMinutes(2));
        Future<DeliveryOutcome> cutOff = killed.run(command, targets, message);
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> Files.readAllLines(pids).size() == 2);
        List<Long> left = Files.readAllLines(pids).stream().map(Long::valueOf).toList();

        NotifyCommand next = new NotifyCommand(harness.vertx, workers, data, Duration.ofMinutes(2));

        assertThat(NotifyHarness.await(next.run(command, targets, message))).isEqualTo(DeliveryOutcome.DELIVERED);
        awaitEnd(left);
        assertThat(NotifyHarness.await(cutOff)).isInstanceOf(DeliveryOutcome.Undeliverable.class);
        awaitEnd(List.of(Long.valueOf(Files.readAllLines(pids).get(2))));
    }

    /** A process that was killed is there until its parent, or init, has waited for it. */
    private static void awaitEnd(List<Long> pids) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(pids)
                        .noneMatch(pid -> ProcessHandle.of(pid)
                                .filter(ProcessHandle::isAlive)
                                .isPresent()));
    }
}
