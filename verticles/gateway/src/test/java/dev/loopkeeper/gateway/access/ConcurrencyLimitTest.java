package dev.loopkeeper.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.gateway.http.ClientGone;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Vertx vertx = Vertx.vertx();
    private final List<Promise<String>> begun = new ArrayList<>();

    @AfterEach
    void close() {
        GatewayFixture.soon(vertx.close());
    }

    private Future<String> ask(ConcurrencyLimit turns, BooleanSupplier gone) {
        return turns.call(vertx, gone, () -> {
            Promise<String> work = Promise.promise();
            begun.add(work);
            return work.future();
        });
    }

    private Future<String> ask(ConcurrencyLimit turns) {
        return ask(turns, () -> false);
    }

    @Test
    void noMoreThanSoManyAreMadeAtATimeAndTheRestInOrder() {
        ConcurrencyLimit turns = new ConcurrencyLimit(2, LONG);
        Future<String> first = ask(turns);
        Future<String> second = ask(turns);
        Future<String> third = ask(turns);
        assertThat(begun).hasSize(2);

        begun.get(1).complete("second");
        assertThat(second.result()).isEqualTo("second");
        assertThat(begun).hasSize(3);
        begun.get(2).complete("third");
        begun.get(0).complete("first");
        assertThat(third.result()).isEqualTo("third");
        assertThat(first.result()).isEqualTo("first");
    }

    @Test
    void aFailedTaskFreesItsSlot() {
        ConcurrencyLimit turns = new ConcurrencyLimit(2, LONG);
        List<Future<String>> asked = List.of(ask(turns), ask(turns), ask(turns), ask(turns));
        begun.get(0).fail("broken");
        Future<String> thrown = turns.call(vertx, () -> false, () -> {
            throw new IllegalStateException("flaw");
        });
        begun.get(1).complete();
        begun.get(2).complete();
        begun.get(3).complete();
        assertThat(asked).allMatch(Future::isComplete);
        assertThat(thrown.cause()).hasMessage("flaw");
    }

    @Test
    void noAnswerIsMadeForADisconnectedClient() {
        ConcurrencyLimit turns = new ConcurrencyLimit(1, LONG);
        Future<String> first = ask(turns);
        Future<String> left = ask(turns, () -> true);
        Future<String> last = ask(turns);
        begun.get(0).complete("first");
        begun.get(1).complete("last");
        assertThat(first.result()).isEqualTo("first");
        assertThat(left.cause()).isInstanceOf(ClientGone.class);
        assertThat(last.result()).isEqualTo("last");
        assertThat(begun).hasSize(2);
    }

    @Test
    void aRequestThatWaitsTooLongIsRefusedWithRetryAfter() {
        ConcurrencyLimit turns = new ConcurrencyLimit(1, Duration.ofMillis(1));
        Future<String> first = ask(turns);
        Future<String> late = ask(turns);
        await().until(late::isComplete);
        assertThat(late.cause()).hasMessageContaining("retry");

        begun.get(0).complete("first");
        Future<String> next = ask(turns);
        begun.get(1).complete("next");
        assertThat(first.result()).isEqualTo("first");
        assertThat(next.result()).isEqualTo("next");
        assertThat(begun).hasSize(2);
    }
}
