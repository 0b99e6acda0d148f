package dev.loopkeeper.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.gateway.GatewayFixture;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.store.StoredRun;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PastRunsTest {
    private final Vertx vertx = Vertx.vertx();
    private final Queue<Future<Optional<StoredRun>>> answers = new ArrayDeque<>(List.of(
            Future.failedFuture(new StoreUnavailableException("no connection", null)),
            Future.succeededFuture(Optional.empty())));
    private final EventStore store = (EventStore) Proxy.newProxyInstance(
            EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (self, method, words) -> {
                assertThat(method.getName()).isEqualTo("loadAt");
                return answers.remove();
            });

    @AfterEach
    void close() {
        GatewayFixture.soon(vertx.close());
    }

    /** Clients that came back later got no run object either. */
    @Test
    void aRunThatCouldNotBeReadIsRequestedAgainAndOneThatWasReadIsKept() {
        PastRuns runs = new PastRuns(vertx, store);

        assertThat(GatewayFixture.soon(runs.of("run-1", 7))).isEmpty();
        assertThat(answers).hasSize(1);
        assertThat(GatewayFixture.soon(runs.of("run-1", 7))).isEmpty();
        assertThat(answers).isEmpty();
        assertThat(GatewayFixture.soon(runs.of("run-1", 7))).isEmpty();
    }
}
