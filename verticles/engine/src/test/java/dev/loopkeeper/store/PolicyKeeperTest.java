package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.read.PolicyReader;
import dev.loopkeeper.manifest.read.PolicyReading;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.store.StoreChannels.GetPolicy;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One policy holds in each process that shares the store. */
class PolicyKeeperTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    private final Vertx vertx = Vertx.vertx();
    private final MemoryStore store = new MemoryStore(vertx);
    private final PolicyKeeper keeper = new PolicyKeeper(vertx, store);
    private final List<Policy> changes = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void serve() {
        await(vertx.deployVerticle(new PolicyVerticle(keeper, true)));
        keeper.onChange(changes::add);
    }

    private static JsonNode pool(String name) {
        return ((PolicyReading.Valid) PolicyReader.read("pools: {" + name + ": {places: 3}}")).document();
    }

    private Future<AppliedPolicy> put(JsonNode document, OptionalLong expected) {
        return StoreChannels.PUT_POLICY.ask(vertx.eventBus(), new PutPolicy(document, expected, "test"), SOON);
    }

    private static List<String> pools(Policy policy) {
        return policy.pools().stream().map(Pool::name).toList();
    }

    @Test
    void aStoreWithoutAPolicyHasNone() {
        serve();

        assertThat(keeper.current()).isEqualTo(AppliedPolicy.NONE);
        assertThat(await(StoreChannels.POLICY.ask(vertx.eventBus(), new GetPolicy(), SOON)))
                .isEqualTo(AppliedPolicy.NONE);
    }

    @Test
    void aChangeIsDurableAndHoldsWhenItIsAnswered() {
        serve();

        AppliedPolicy applied = await(put(pool("a"), OptionalLong.of(0)));

        assertThat(applied.version()).isEqualTo(1);
        assertThat(keeper.current()).isEqualTo(applied);
        assertThat(await(store.policyOtherThan(0)).orElseThrow().version()).isEqualTo(1);
        assertThat(changes).hasSize(1);
    }

    @Test
    void theSamePolicyAgainChangesNothing() {
        serve();
        await(put(pool("a"), OptionalLong.empty()));

        assertThat(await(put(pool("a"), OptionalLong.empty())).version()).isEqualTo(1);
        assertThat(changes).hasSize(1);
    }

    @Test
    void aChangeOfAnotherVersionIsRefused() {
        serve();
        await(put(pool("a"), OptionalLong.empty()));

        assertThat(failure(put(pool("b"), OptionalLong.of(0))))
                .isInstanceOf(PolicyChangedException.class)
                .hasMessageContaining("version 1");
        assertThat(pools(keeper.current().policy())).containsExactly("a");
    }

    @Test
    void thePolicyOfAnEarlierProcessHoldsFromTheStart() {
        await(store.putPolicy(pool("a").toString(), OptionalLong.empty()));
        serve();

        assertThat(pools(keeper.current().policy())).containsExactly("a");
    }

    @Test
    void aChangeByAnotherProcessHoldsWithinTwoSeconds() {
        serve();
        await(store.putPolicy(pool("a").toString(), OptionalLong.empty()));

        await().atMost(TWO_SECONDS)
                .untilAsserted(
                        () -> assertThat(pools(keeper.current().policy())).containsExactly("a"));
        assertThat(changes).hasSize(1);
    }

    @Test
    void aFailingStoreIsReadAgain() {
        serve();
        await(store.putPolicy(pool("a").toString(), OptionalLong.empty()));
        store.fail(new StoreUnavailableException("away", null));
        assertThat(failure(put(pool("b"), OptionalLong.empty()))).isInstanceOf(StoreUnavailableException.class);
        store.work();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(keeper.current().version()).isEqualTo(1));
    }

    @Test
    void aPolicyOfANewerProgramChangesNothingHere() {
        serve();
        await(put(pool("a"), OptionalLong.empty()));
        await(store.putPolicy("{\"budgets\": {}}", OptionalLong.empty()));
        await(store.putPolicy(pool("c").toString(), OptionalLong.empty()));

        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(pools(keeper.current().policy())).containsExactly("c"));
    }
}
