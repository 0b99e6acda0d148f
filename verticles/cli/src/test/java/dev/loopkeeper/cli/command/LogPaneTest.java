package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.LogSelection;
import dev.loopkeeper.cli.session.LogSink;
import dev.loopkeeper.cli.session.RunFacts;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LogPaneTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch more = new CountDownLatch(1);
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicInteger news = new AtomicInteger();

    /** Stdout says one, and two as soon as there is more; stderr ends at once. */
    private RunFacts facts() {
        return (RunFacts) Proxy.newProxyInstance(
                RunFacts.class.getClassLoader(), new Class<?>[] {RunFacts.class}, (proxy, method, arguments) -> {
                    assertThat(((LogSelection) arguments[3]).follow()).isTrue();
                    asked.add((String) arguments[2]);
                    say((String) arguments[2], (LogSink) arguments[4]);
                    return null;
                });
    }

    private void say(String stream, LogSink sink) {
        if (stream.equals("stderr")) {
            sink.accept("oh\u001b[31m\n".getBytes(StandardCharsets.UTF_8));
            throw CommandFailure.unreachable("the server is gone");
        }
        sink.accept("one\n".getBytes(StandardCharsets.UTF_8));
        try {
            more.await();
            sink.accept("two\n".getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException closed) {
            released.set(true);
        }
    }

    @Test
    void whatAStepSaysIsFollowedAndNeverRequestedAgain() {
        try (LogPane pane = new LogPane(facts(), "r", "build.1.dev.1", news::incrementAndGet)) {
            await().until(() -> pane.lines().size() == 3);
            assertThat(pane.lines().get(0)).isEqualTo("one");
            assertThat(pane.lines().get(1)).startsWith("[stderr] oh").doesNotContain("\u001b");
            assertThat(pane.lines().get(2)).isEqualTo("[stderr] the server is gone");
            int before = news.get();
            more.countDown();
            await().until(() -> pane.lines().get(1).equals("two"));
            assertThat(news.get()).isGreaterThan(before);
            assertThat(asked).containsExactlyInAnyOrder("stdout", "stderr");
            assertThat(pane.shows("r", "build.1.dev.1")).isTrue();
            assertThat(pane.shows("r", "build.2.dev.1")).isFalse();
        }
    }

    @Test
    void aClosedPaneReleasesItsLog() {
        LogPane pane = new LogPane(facts(), "r", "build.1.dev.1", news::incrementAndGet);
        await().until(() -> pane.lines().contains("one"));
        pane.close();
        await().untilTrue(released);
    }
}
