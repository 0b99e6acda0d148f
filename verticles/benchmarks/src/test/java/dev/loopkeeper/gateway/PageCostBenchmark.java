package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a page costs the server beside a plain client of the same feed: processor time of the server's program, in turns
 * without a client, a WebSocket that drops what it gets, and the dashboard's list. Both clients are programs of their own.
 * Figures are no test.
 */
class PageCostBenchmark {
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 3);
    private static final int WARM_ROUNDS = 4;
    private static final int SECONDS = Integer.getInteger("loopkeeper.bench.seconds", 10);
    private static final int RUNS = Integer.getInteger("loopkeeper.page.runs", 300);

    @TempDir
    private Path data;

    @Test
    void aPageBesideAPlainClientOfTheFeed() throws IOException {
        try (Browser browser = Browser.open();
                GatewayFixture fixture = GatewayFixture.plain(data)) {
            EventLoad load = new EventLoad(fixture, RUNS);
            String url = "http://127.0.0.1:" + fixture.gateway.port();
            // Until the compiler of the virtual machine has little left to do, which would be counted as well.
            for (int warm = 0; warm < WARM_ROUNDS; warm++) {
                double unused = microsPerEvent(load);
            }
            List<Double> plain = new ArrayList<>();
            List<Double> page = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                double alone = microsPerEvent(load);

                double client;
                Process plainClient = plainClient(fixture.gateway.port());
                try (BufferedReader output = plainClient.inputReader()) {
                    assertThat(output.readLine())
                            .as("what the plain client says")
                            .isEqualTo("told");
                    client = microsPerEvent(load) - alone;
                    assertThat(plainClient.isAlive())
                            .as("it has followed to the end")
                            .isTrue();
                } finally {
                    plainClient.destroyForcibly().onExit().join();
                }

                browser.go(url + "/");
                browser.sees("#list-going caption", "(" + RUNS + ")");
                double opening = microsPerEvent(load) - alone;
                Object asked = browser.driver.executeScript("return performance.getEntriesByType('resource')"
                        + ".filter(each => each.name.includes('/api/')).length");
                double withPage = microsPerEvent(load) - alone;
                browser.driver.get("about:blank");

                print(
                        "%d runs, %d events/s for %d s: processor time of the server for an event, %.0f us with nobody,"
                                + " %.0f more with a plain client, %.0f more with a page, %.0f more while it is opened, where it asks"
                                + " %s times",
                        RUNS, EventLoad.RATE, SECONDS, alone, client, withPage, opening, asked);
                plain.add(client);
                page.add(withPage);
            }
            print("in the middle a plain client costs %.0f us for an event, a page %.0f", middle(plain), middle(page));
        }
    }

    private static Process plainClient(int port) throws IOException {
        String java = ProcessHandle.current().info().command().orElseThrow();
        return new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PlainClient.class.getName(),
                        "ws://127.0.0.1:" + port + "/api/v1/feed")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, "BENCH page cost, " + format + "%n", values);
    }

    /** Microseconds of processor time of this program for each event that is reported. */
    private static double microsPerEvent(EventLoad load) {
        OperatingSystemMXBean program = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long before = program.getProcessCpuTime();
        Future<Void> all = load.events(SECONDS);
        await().atMost(10L * SECONDS + 60, TimeUnit.SECONDS).until(all::isComplete);
        GatewayFixture.soon(all);
        return (program.getProcessCpuTime() - before) / 1e3 / (EventLoad.RATE * SECONDS);
    }
}
