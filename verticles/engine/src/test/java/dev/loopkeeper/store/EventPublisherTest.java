package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order events become known, and what is read of a store to which others append, too. */
class EventPublisherTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<PositionedEvent> received = new CopyOnWriteArrayList<>();
    /** What the store is requested and answers when the test says so. */
    private final List<Reading> readings = new CopyOnWriteArrayList<>();

    private Promise<Appended> answer = Promise.promise();
    private boolean breaks;
    private Runnable hint = () -> {};
    private final EventPublisher publisher = new EventPublisher(vertx, store());

    private record Reading(long after, int limit, Promise<List<PositionedEvent>> answer) {}

    private EventStore store() {
        return (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (self, method, words) -> {
                    return switch (method.getName()) {
                        case "lastPosition" -> Future.succeededFuture(0L);
                        case "watchOthers" -> {
                            hint = (Runnable) words[0];
                            Runnable end = () -> hint = () -> {};
                            yield Optional.of(end);
                        }
                        case "append" -> {
                            if (breaks) {
                                throw new StackOverflowError("of a test");
                            }
                            yield answer.future();
                        }
                        case "eventsAfter" -> {
                            Reading reading = new Reading((Long) words[0], (Integer) words[1], Promise.promise());
                            readings.add(reading);
                            yield reading.answer().future();
                        }
                        default -> throw new IllegalStateException("asked for " + method);
                    };
                });
    }

    /** It was taken to be under way for ever, so that nothing of its run was published any more. */
    @Test
    void anAppendThatBreaksBeforeItBeginsHoldsNoPublicationUp() {
        Promise<Appended> first = answer;
        breaks = true;
        Throwable broken = StoreSamples.failure(on(() -> publisher.append(append("run", 0, 1)))
                .recover(cause -> Future.failedFuture(new IllegalStateException(cause))));
        assertThat(broken).hasRootCauseInstanceOf(StackOverflowError.class);
        breaks = false;
        does(hint);
        Awaitility.await().until(() -> readings.size() == 1);

        does(() -> readings.get(0).answer().complete(at(1, append("run", 0, 1))));

        Awaitility.await().until(() -> received.size() == 1);
        assertThat(first.future().isComplete()).isFalse();
    }

    @BeforeEach
    void begin() {
        RecordCodec.register(vertx);
        await(StoreChannels.EVENTS.listen(vertx.eventBus(), received::add).completion());
        await(on(publisher::begin));
    }

    @AfterEach
    void close() {
        does(publisher::end);
        await(vertx.close());
    }

    private static List<PositionedEvent> at(long first, AppendEvents append) {
        return IntStream.range(0, append.events().size())
                .mapToObj(index ->
                        new PositionedEvent(first + index, append.events().get(index)))
                .toList();
    }

    /** On the context of the publisher, which continues with everything in the same turn. */
    private <T> T on(Supplier<T> asking) {
        Promise<T> asked = Promise.promise();
        context.runOnContext(
                turn -> Future.succeededFuture().map(now -> asking.get()).onComplete(asked));
        return await(asked.future());
    }

    private void does(Runnable action) {
        boolean done = on(() -> {
            action.run();
            return true;
        });
        assertThat(done).isTrue();
    }

    private Future<Appended> ask(AppendEvents append) {
        return on(() -> {
            answer = Promise.promise();
            return publisher.append(append);
        });
    }

    private void answer(AppendEvents append, long last) {
        does(() -> {
            answer.complete(new Appended(last));
            publisher.publish(append, new Appended(last));
        });
    }

    private void found(int reading, List<PositionedEvent> events) {
        does(() -> readings.get(reading).answer().complete(events));
    }

    private void awaitReceived(List<PositionedEvent> first, List<PositionedEvent> then) {
        Awaitility.await().until(() -> received.size() >= first.size() + then.size());
        assertThat(received.subList(0, first.size())).isEqualTo(first);
        assertThat(received.subList(first.size(), received.size())).isEqualTo(then);
    }

    @Test
    void publishesWhatOthersAppendedBeforeAnOwnAppend() {
        AppendEvents ours = append("ours", 0, 2);
        AppendEvents theirs = append("theirs", 0, 3);
        Future<Appended> asked = ask(ours);
        answer(ours, 5);

        assertThat(asked).matches(Future::succeeded);
        assertThat(readings).extracting(Reading::after).containsExactly(0L);
        found(0, Stream.concat(at(1, theirs).stream(), at(4, ours).stream()).toList());
        awaitReceived(at(1, theirs), at(4, ours));
        assertThat(readings).extracting(Reading::after).containsExactly(0L);
    }

    /** An answer names the newest position, so that another read would find nothing. */
    @Test
    void readsOnceForEachAppendOfItsOwn() {
        for (int append = 0; append < 3; append++) {
            AppendEvents ours = append("ours", append, 1);
            Future<Appended> asked = ask(ours);
            answer(ours, append + 1);
            assertThat(asked).matches(Future::succeeded);
            found(append, at(append + 1, ours));
        }
        assertThat(readings).extracting(Reading::after).containsExactly(0L, 1L, 2L);
    }

    /** A hint does not say how much is new, and a page may lack damaged events. */
    @Test
    void readsToTheEndAfterAHint() {
        hint.run();
        Awaitility.await().until(() -> readings.size() == 1);
        AppendEvents theirs = append("theirs", 0, 2);
        found(0, at(1, theirs).subList(0, 1));
        found(1, at(1, theirs).subList(1, 2));
        assertThat(readings).hasSize(3);
        found(2, List.of());

        awaitReceived(at(1, theirs), List.of());
        assertThat(readings).hasSize(3);
    }

    @Test
    void waitsForTheAnswerToAnAppendThatItReads() {
        AppendEvents ours = append("ours", 0, 2);
        AppendEvents theirs = append("theirs", 0, 3);
        List<PositionedEvent> all =
                Stream.concat(at(1, ours).stream(), at(3, theirs).stream()).toList();
        Future<Appended> asked = ask(ours);
        hint.run();
        Awaitility.await().until(() -> readings.size() == 1);
        found(0, all);
        assertThat(asked).matches(open -> !open.isComplete());
        assertThat(readings).hasSize(1);
        answer(ours, 2);

        assertThat(readings).extracting(Reading::after).containsExactly(0L, 0L);
        found(1, all);
        awaitReceived(at(1, ours), at(3, theirs));
    }

    /** What is under way may have looked before it was durable. */
    @Test
    void searchesForAnUnansweredAppendAfterItFailed() {
        AppendEvents ours = append("ours", 0, 2);
        Future<Appended> asked = ask(ours);
        hint.run();
        Awaitility.await().until(() -> readings.size() == 1);
        does(() -> answer.fail(new StoreUnavailableException("is away", null)));
        assertThat(asked).matches(Future::failed);
        found(0, List.of());

        assertThat(readings).hasSize(2);
        found(1, at(1, ours));
        awaitReceived(at(1, ours), List.of());
    }

    @Test
    void readsAgainAfterAFailure() {
        AppendEvents ours = append("ours", 0, 2);
        Future<Appended> asked = ask(ours);
        answer(ours, 2);
        assertThat(asked).matches(Future::succeeded);
        does(() -> readings.get(0).answer().fail(new StoreUnavailableException("is away", null)));

        Awaitility.await().until(() -> readings.size() == 2);
        found(1, at(1, ours));
        awaitReceived(at(1, ours), List.of());
    }

    @Test
    void aPageIsFollowedByTheNext() {
        hint.run();
        Awaitility.await().until(() -> readings.size() == 1);
        AppendEvents theirs = append("theirs", 0, readings.get(0).limit());
        AppendEvents rest = append("rest", 0, 1);
        found(0, at(1, theirs));
        assertThat(readings).hasSize(2);
        long last = readings.get(1).after();
        assertThat(last).isEqualTo(theirs.events().size());
        found(1, at(last + 1, rest));

        awaitReceived(at(1, theirs), at(last + 1, rest));
    }

    /** Each page waited for the next one, and the end of the last one overflowed the stack. */
    @Test
    void endsAfterAnyNumberOfPages() {
        int pages = 10_000;
        hint.run();
        Awaitility.await().until(() -> readings.size() == 1);
        does(() -> {
            for (int page = 0; page < pages; page++) {
                readings.get(page).answer().complete(at(page + 1, append("long", page, 1)));
            }
            readings.get(pages).answer().complete(List.of());
        });
        assertThat(readings).hasSize(pages + 1);

        hint.run();
        Awaitility.await().until(() -> readings.size() == pages + 2);
        assertThat(readings.get(pages + 1).after()).isEqualTo(pages);
    }
}
