package dev.loopkeeper.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory runs out while answers are handed over. */
class PendingWriteTest {
    private final AtomicInteger untilError = new AtomicInteger();
    private final Context caller = (Context) Proxy.newProxyInstance(
            Context.class.getClassLoader(), new Class<?>[] {Context.class}, (self, method, words) -> {
                if (!method.getName().equals("runOnContext")) {
                    return method.getName().equals("hashCode") ? (Object) 1 : self == words[0];
                }
                if (untilError.getAndDecrement() == 0) {
                    throw new OutOfMemoryError("of a test");
                }
                @SuppressWarnings("unchecked")
                Handler<Void> work = (Handler<Void>) words[0];
                work.handle(null);
                return null;
            });

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 99})
    void eachIsAnsweredOnceWithWhatBecameOfIt(int error) throws Exception {
        untilError.set(error);
        PendingWrite<String> durable = new PendingWrite<>(writes -> "durable", caller);
        PendingWrite<String> unknown = new PendingWrite<>(writes -> "unknown", caller);
        PendingWrite<String> untried = new PendingWrite<>(writes -> "untried", caller);
        AtomicInteger answers = new AtomicInteger();
        List<PendingWrite<?>> batch = List.of(durable, unknown, untried);
        batch.forEach(write -> write.future().onComplete(answer -> answers.incrementAndGet()));
        durable.run(null);
        durable.durable();
        unknown.run(null);
        unknown.mayBeDurable();
        untried.run(null);

        PendingWrite.deliver(batch);

        assertThat(answers).hasValue(3);
        assertThat(durable.future().result()).isEqualTo("durable");
        assertThat(unknown.future().cause()).isInstanceOf(StoreUnavailableException.class);
        assertThat(untried.future().cause())
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(StoreUnavailableException.class);
    }
}
