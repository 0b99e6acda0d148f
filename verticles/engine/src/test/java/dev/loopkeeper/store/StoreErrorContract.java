package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.withKey;
import static dev.loopkeeper.store.StoreSamples.withSnapshot;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An Error at any point of a write: what was answered is what is stored, each write is answered once, and later ones work. */
public abstract class StoreErrorContract {
    private final Vertx vertx = Vertx.vertx();
    private OpenStore store;
    private volatile String breaking = "";
    private final AtomicInteger untilError = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();

    /** Names of all points that the store passes when it writes. */
    protected abstract List<String> points();

    /** An empty store that calls {@code probe} with the name of each point that it is about to pass. */
    protected abstract Future<OpenStore> open(Vertx vertx, Consumer<String> probe);

    @BeforeEach
    void open() {
        store = await(open(vertx, this::pass));
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    private void pass(String point) {
        if (point.equals(breaking) && untilError.getAndDecrement() == 0) {
            int number = errors.getAndIncrement();
            throw number % 2 == 0 ? new OutOfMemoryError("of a test") : new NoClassDefFoundError("of a test");
        }
    }

    /** Breaks when this point is passed for the time of this number, counted from 0. */
    private void breakAt(String point, int time) {
        untilError.set(time);
        breaking = point;
    }

    /** Answers whether it broke. */
    @CanIgnoreReturnValue
    private boolean mend() {
        breaking = "";
        return untilError.get() < 0;
    }

    @Test
    void anErrorInABatchIsAnsweredAsItIsStored() {
        for (String point : points()) {
            int time = 0;
            while (isConsistentAfterErrorAt(point, time)) {
                time++;
            }
            assertThat(time).as("errors at " + point).isPositive();
        }
    }

    /** Answers whether the point was passed so often. */
    private boolean isConsistentAfterErrorAt(String point, int time) {
        String name = point + "-" + time + "-";
        List<AppendEvents> appends = List.of(
                withKey(withSnapshot(created(name + "a"), "{}"), name), append(name + "b", 0, 2), created(name + "c"));
        breakAt(point, time);
        List<Future<?>> answers = inOneTurn(List.of(
                () -> store.append(appends.get(0)),
                () -> store.append(appends.get(1)),
                () -> store.addReceipt(name, "{}"),
                () -> store.append(appends.get(2))));
        boolean broke = mend();
        assertStored(appends.get(0), answers.get(0));
        assertStored(appends.get(1), answers.get(1));
        assertStored(appends.get(2), answers.get(3));
        int receipts = await(store.receipts(name, 0)).size();
        assertThat(receipts).isBetween(least(answers.get(2), 1), most(answers.get(2), 1));
        return broke;
    }

    private static int least(Future<?> answer, int written) {
        return answer.succeeded() ? written : 0;
    }

    private static int most(Future<?> answer, int written) {
        return answer.succeeded() || answer.cause() instanceof StoreUnavailableException ? written : 0;
    }

    /** And that the run can be continued, whatever was answered. */
    private void assertStored(AppendEvents append, Future<?> answer) {
        String run = append.runId();
        int asked = append.events().size();
        int found = await(store.events(run, 0, 10)).size();
        assertThat(found).as(run + " " + answer).isIn(0, asked).isBetween(least(answer, asked), most(answer, asked));
        if (answer.failed()) {
            assertThat(answer.cause()).isInstanceOf(StoreException.class);
        }
        assertThat(await(store.append(append(run, found, 1)))).isNotNull();
        assertThat(await(store.events(run, 0, 10))).hasSize(found + 1);
        assertThat(await(store.find(run))).isPresent();
    }

    @Test
    void afterAnErrorWhatFollowsIsAcknowledgedOnlyWhereItIsStored() {
        for (String point : points()) {
            String run = "one-by-one-" + point;
            await(store.append(created(run)));
            breakAt(point, 0);
            boolean second = await(store.append(append(run, 1, 1)).map(true).otherwise(false));
            mend();
            int stored = await(store.events(run, 0, 10)).size();
            boolean third = await(store.append(append(run, 2, 1)).map(true).otherwise(false));

            assertThat(stored).as(point).isGreaterThanOrEqualTo(second ? 2 : 1);
            assertThat(await(store.events(run, 0, 10))).as(point).hasSize(third ? 3 : stored);
            assertThat(third).as(point).isEqualTo(stored == 2);
        }
    }

    @Test
    void aCallbackThatBreaksLosesNoOtherAnswer() {
        AtomicInteger answered = new AtomicInteger();
        List<Future<?>> answers = inOneTurn(List.of(
                () -> store.append(created("first")).onComplete(answer -> {
                    answered.incrementAndGet();
                    throw new OutOfMemoryError("of a test");
                }),
                () -> store.append(created("second")),
                () -> store.append(created("third"))));

        assertThat(answers).allMatch(Future::succeeded);
        assertThat(answered).hasValue(1);
        assertThat(await(store.eventsAfter(0, 10))).hasSize(3);
        assertThat(await(store.append(append("first", 1, 1)))).isNotNull();
    }

    /** So that they are written together; completes when each is answered, which is counted. */
    private List<Future<?>> inOneTurn(List<Supplier<Future<?>>> writes) {
        Promise<List<Future<?>>> over = Promise.promise();
        List<AtomicInteger> counts = new ArrayList<>();
        vertx.runOnContext(turn -> {
            List<Future<?>> answers = new ArrayList<>();
            for (Supplier<Future<?>> write : writes) {
                AtomicInteger count = new AtomicInteger();
                counts.add(count);
                answers.add(write.get().onComplete(answer -> count.incrementAndGet()));
            }
            Future.join(answers).onComplete(all -> over.complete(answers));
        });
        List<Future<?>> answers = await(over.future());
        assertThat(counts).allMatch(count -> count.get() == 1);
        return answers;
    }
}
