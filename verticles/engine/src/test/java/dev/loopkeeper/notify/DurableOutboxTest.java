package dev.loopkeeper.notify;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Outbox.OutboxCursor;
import dev.loopkeeper.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Pending deliveries are in the store, and nowhere else. */
@Isolated("reads the log of the process, or changes what it has once")
class DurableOutboxTest {
    private static final Future<?> NEVER = Promise.promise().future();

    @TempDir
    private Path data;

    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final Set<String> hanging = ConcurrentHashMap.newKeySet();
    private final Set<String> hung = ConcurrentHashMap.newKeySet();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.loopkeeper.notify");
    private NotifyHarness harness;

    @BeforeEach
    void open() {
        harness = new NotifyHarness(data);
        logged.start();
        logger.addAppender(logged);
        logger.setAdditive(false);
    }

    @AfterEach
    void close() {
        harness.close();
        logger.setAdditive(true);
        logger.detachAppender(logged);
    }

    /** The real store, where a disk may refuse or hang what is named so. */
    private EventStore moody() {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, method, arguments) -> {
                    if (hanging.contains(method.getName())) {
                        hung.add(method.getName());
                        return NEVER;
                    }
                    if (refused.contains(method.getName())) {
                        return Future.failedFuture(new StoreException("the disk is full", null));
                    }
                    try {
                        return method.invoke(harness.store, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private String onNotice() {
        return "[{webhook: \"" + harness.hook() + "\", events: [notice]}]";
    }

    private void awaitDeliveries(List<String> deliveries) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(harness.deliveries()).isEqualTo(deliveries));
        Awaitility.await().untilAsserted(() -> assertThat(harness.pending()).isEmpty());
    }

    @Test
    void aCrashBetweenADeliveryAndItsRecordRepeatsThatDeliveryOnly() {
        hanging.add("tried");
        String crashed = harness.deploy(moody());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        Awaitility.await().until(() -> harness.deliveries().size() == 1);
        harness.notice("r", 3, "two");
        Awaitility.await()
                .until(() -> harness.pending().stream()
                        .anyMatch(cursor -> cursor.sequence() == 1 && cursor.newestPending() == 3));
        assertThat(harness.deliveries()).as("nothing goes on before the record").containsExactly("r:2");

        String second = harness.deploy(Map.of());
        awaitDeliveries(List.of("r:2", "r:2", "r:3"));
        harness.undeploy(second);
        harness.undeploy(crashed);
    }

    @Test
    void sendsEventsOfAnOutageInOrderAndOnce() {
        String id = harness.deploy(moody());
        harness.create("r", onNotice());
        refused.addAll(Set.of("addPending", "tried", "eventsAfter"));
        LongStream.rangeClosed(2, 150).forEach(sequence -> harness.notice("r", sequence, "n"));
        Awaitility.await().until(() -> !logged.list.isEmpty());
        assertThat(harness.received).isEmpty();
        refused.clear();
        awaitDeliveries(LongStream.rangeClosed(2, 150)
                .mapToObj(sequence -> "r:" + sequence)
                .toList());
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .as("said once")
                .containsExactly("notifications wait for the store: the disk is full");
        harness.undeploy(id);
    }

    @Test
    void aFullDiskAfterADeliveryRepeatsNothing() {
        refused.add("tried");
        String id = harness.deploy(moody());
        harness.create("r", onNotice());
        harness.notice("r", 2, "one");
        harness.notice("r", 3, "two");
        Awaitility.await().until(() -> logged.list.size() == 1);
        refused.clear();
        awaitDeliveries(List.of("r:2", "r:3"));
        harness.undeploy(id);
    }

    /** It was tried again by the runtime that ended, each time to be killed at once, and given up in the end. */
    @Test
    void aCommandKilledDuringAnOutageRunsInTheNextRuntime() {
        String id = harness.deploy(moody(), harness.options());
        Path begun = data.resolve("begun");
        harness.create("r", "[{command: 'echo one >> " + begun + "; sleep 250', events: [notice]}]");
        harness.notice("r", 2, "one");
        Awaitility.await().until(() -> Files.exists(begun) && Files.size(begun) == "one\n".length());
        hanging.addAll(Set.of("addPending", "eventsAfter"));
        harness.notice("r", 3, "two");
        Awaitility.await().until(() -> hung.contains("addPending"));

        harness.undeploy(id);

        assertThat(harness.pending()).extracting(OutboxCursor::tries).containsExactly(1);
        assertThat(begun).hasContent("one");
    }

    @Test
    void aDeliveryThatFailsIsLoggedWithItsTriesAndReason() {
        harness.answer(count -> count <= 4 ? 500 : count == 5 ? 404 : 200);
        String id = harness.deploy(Map.of());
        harness.create("r", onNotice());
        LongStream.rangeClosed(2, 4).forEach(sequence -> harness.notice("r", sequence, "n"));
        awaitDeliveries(List.of("r:2", "r:2", "r:2", "r:2", "r:3", "r:4"));
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("will not be delivered"))
                .satisfiesExactly(
                        second -> assertThat(second)
                                .startsWith("notification r:2 ")
                                .endsWith("answers with HTTP status 500, after 4 tries"),
                        third -> assertThat(third)
                                .startsWith("notification r:3 ")
                                .endsWith("answers with HTTP status 404"));
        harness.undeploy(id);
    }

    @Test
    void logsARemovedRunOnceAndNotifiesOfTheOthers() {
        hanging.add("tried");
        harness.answer(count -> NotifyHarness.NO_ANSWER);
        String crashed = harness.deploy(moody());
        harness.create("gone", onNotice());
        harness.notice("gone", 2, "one");
        harness.end("gone", 3);
        harness.create("kept", onNotice());
        harness.notice("kept", 2, "one");
        Awaitility.await().until(() -> harness.pending().size() == 2 && harness.received.size() == 2);
        assertThat(NotifyHarness.await(harness.store.delete("gone"))).isTrue();
        harness.undeploy(crashed);
        harness.received.clear();
        logged.list.clear();
        harness.answer(count -> 200);

        String second = harness.deploy(Map.of());
        awaitDeliveries(List.of("kept:2"));
        assertThat(logged.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("run gone: events 2 to 2 are not sent to receiver 0: the run was removed");
        harness.undeploy(second);
    }
}
