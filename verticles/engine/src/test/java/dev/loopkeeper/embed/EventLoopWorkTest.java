package dev.loopkeeper.embed;

import static dev.loopkeeper.embed.Keeper.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ListItems;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.ResumeRequest;
import io.vertx.core.eventbus.EventBus;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Work as large as what agents and people give was done on the event loop of all steps: a stop waited behind it. */
@Isolated("measures all event loops of the process")
class EventLoopWorkTest {
    /** About 100 ms of processor time on an idle machine; on a busy one the same work takes two or three times as much. */
    private static final int MOST_READINGS = 40;

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int ITEMS = 10_000;
    private static final int FEW = 50;

    @TempDir
    Path folder;

    private static String manifest(int count) {
        String items = IntStream.range(0, count)
                .mapToObj(item -> "{id: item-" + item + ", vars: {title: \"" + "t".repeat(50) + "\"}}")
                .collect(Collectors.joining(", ", "[", "]"));
        return "name: many\n"
                + "agents: {dev: {command: ./dev.sh, signal: .loopkeeper/dev.json, timeout: 1m}}\n"
                + "phases: [{name: all, each: {steps: [dev], concurrency: 2, items: " + items + "}}]\n";
    }

    /** Near the limit of a megabyte, and of many small values, which cost the most. */
    private static String largeSignal() {
        return IntStream.range(0, 40_000)
                .mapToObj(number -> "\"iteration " + number + "\"")
                .collect(Collectors.joining(",", "{\"verdict\":\"approved\",\"deliverable\":[", "]}"));
    }

    @Test
    void tenThousandItemsLargeSignalsAndStopsLeaveTheEventLoopsFree() throws Exception {
        Path workspace = folder.resolve("work");
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace)) {
            Files.writeString(workspace.resolve("signal.json"), largeSignal());
            keeper.script("dev.sh", "cp signal.json \"$LOOPKEEPER_SIGNAL_FILE\"");
            // Loading and compiling a class costs time once, however large the data is.
            carryThrough(keeper, FEW);
            try (LoopTimes times = new LoopTimes(reading().multipliedBy(MOST_READINGS))) {
                carryThrough(keeper, ITEMS);

                assertThat(times.tooLong()).isEmpty();
            }
        }
    }

    /** Processor time of one reading of a large signal, here and now: the median of many. */
    private static Duration reading() throws JsonProcessingException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        String signal = largeSignal();
        long[] nanos = new long[41];
        for (int round = 0; round < nanos.length; round++) {
            long before = threads.getCurrentThreadCpuTime();
            assertThat(Json.MAPPER.readTree(signal).path("deliverable")).hasSize(40_000);
            nanos[round] = threads.getCurrentThreadCpuTime() - before;
        }
        Arrays.sort(nanos);
        return Duration.ofNanos(nanos[nanos.length / 2]);
    }

    private static void carryThrough(Keeper keeper, int items) {
        String runId = keeper.start(manifest(items));
        untilFinished(keeper, runId, 1);
        look(keeper, runId, items);
        assertThat(keeper.stop(runId, true).refusal()).isEmpty();
        keeper.until(runId, "stopped");
        assertThat(keeper.resume(runId, ResumeRequest.PLAIN).refusal()).isEmpty();
        untilFinished(keeper, runId, 2);
        assertThat(keeper.stop(runId, true).refusal()).isEmpty();
        keeper.until(runId, "stopped");
        look(keeper, runId, items);
    }

    private static void untilFinished(Keeper keeper, String runId, int items) {
        Awaitility.await()
                .atMost(SOON)
                .until(() -> keeper.published(runId).stream()
                                .filter(event -> event.type().equals("item.finished"))
                                .count()
                        >= items);
    }

    private static void look(Keeper keeper, String runId, int items) {
        EventBus bus = keeper.vertx().eventBus();
        assertThat(await(RunChannels.CHECKPOINT.ask(bus, new GetRun(runId), SOON))
                        .document())
                .hasValueSatisfying(
                        checkpoint -> assertThat(checkpoint.path("items")).hasSize(items));
        assertThat(await(RunChannels.ITEMS.ask(bus, new ListItems(runId, 0, ITEMS), SOON))
                        .document())
                .hasValueSatisfying(page -> assertThat(page.path("items")).hasSize(items));
        assertThat(await(RunChannels.EXPLAIN.ask(bus, new GetRun(runId), SOON)).refusal())
                .isEmpty();
    }
}
