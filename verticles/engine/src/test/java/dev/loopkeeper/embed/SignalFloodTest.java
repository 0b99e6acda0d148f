package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that rewrites a large signal without end. {@code -Dloopkeeper.flood=60} for a minute. */
class SignalFloodTest {
    private static final Duration FLOOD = Duration.ofSeconds(Integer.getInteger("loopkeeper.flood", 8));
    private static final int OTHERS = 10;
    private static final long MOST_GROWTH = 20L << 20;
    private static final String OTHER = """
            name: other
            agents: {one: {command: ["true"]}}
            phases: [{name: first, task: one}, {name: second, task: one}]
            """;

    @TempDir
    private Path folder;

    @Test
    void aSignalFloodCostsLittleMemoryAndDelaysNoOtherRun() throws IOException {
        try (Keeper keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"))) {
            long alone = millisOfOthers(keeper);
            Files.writeString(keeper.workspace().resolve("pad"), "lorem ipsum 12345 ".repeat(55_000));
            keeper.script("flood.sh", """
                    i=0
                    while [ ! -e over ]; do
                        i=$((i + 1))
                        { printf '{"status":"partial","determination":"PROGRESS","keyConcern":"%d","note":"' "$i"
                          cat pad; printf '"}'; } >next
                        mv next flood.json
                        sleep 0.05
                    done
                    """);
            long before = usedMemory();
            long began = System.nanoTime();
            String flood = keeper.start("""
                    name: flood
                    agents: {dev: {command: ./flood.sh, signal: flood.json}}
                    phases: [{name: build, task: dev}]
                    """);
            Awaitility.await().until(() -> !signals(keeper, flood).isEmpty());

            List<Long> beside = new ArrayList<>();
            while (System.nanoTime() - began < FLOOD.toNanos()) {
                beside.add(millisOfOthers(keeper));
            }
            long growth = usedMemory() - before;
            Files.createFile(keeper.workspace().resolve("over"));
            keeper.until(flood, "completed", "paused", "failed");

            assertThat(growth).isLessThan(MOST_GROWTH);
            assertThat(beside.stream().sorted().toList().get(beside.size() / 2)).isLessThan(3 * alone + 1_000);
            List<StoredEvent> signals = signals(keeper, flood);
            long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
            assertThat(signals).hasSizeBetween(2, (int) seconds + 2);
            assertThat(signals)
                    .allSatisfy(event -> assertThat(event.data().toString()).hasSizeLessThan(65 << 10));
            assertThat(keeper.steps(flood).get(0).at("/result/signal/keyConcern"))
                    .isEqualTo(signals.get(signals.size() - 1).data().at("/signal/keyConcern"));
        }
    }

    /** Ten runs of two steps, and a stop. */
    private static long millisOfOthers(Keeper keeper) {
        long began = System.nanoTime();
        String stopped = keeper.start(OTHER.replace("\"true\"", "sleep, \"600\""));
        List<String> runs = new ArrayList<>();
        while (runs.size() < OTHERS - 1) {
            runs.add(keeper.start(OTHER));
        }
        assertThat(keeper.stop(stopped, true).refusal()).isEmpty();
        runs.forEach(keeper::untilEnded);
        keeper.untilEnded(stopped);
        return Duration.ofNanos(System.nanoTime() - began).toMillis();
    }

    private static List<StoredEvent> signals(Keeper keeper, String runId) {
        return keeper.events(runId).stream()
                .filter(event -> event.type().equals("step.signal"))
                .toList();
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
