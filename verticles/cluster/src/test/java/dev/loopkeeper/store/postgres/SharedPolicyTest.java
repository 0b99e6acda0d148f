package dev.loopkeeper.store.postgres;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.OpenStore;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.PolicyVerticle;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A policy that one node applies holds on each node. */
class SharedPolicyTest {
    private static final String POLICY = "{\"pools\":{\"claude-max\":{\"places\":3}}}";

    private final TestDatabase database = TestDatabase.fresh();
    private final List<Vertx> nodes = new ArrayList<>();

    private OpenStore open(Vertx vertx) {
        nodes.add(vertx);
        return await(TestDatabase.open(vertx, database.options()));
    }

    @AfterEach
    void close() {
        nodes.forEach(vertx -> await(vertx.close()));
    }

    @Test
    void aPolicyOfAnotherNodeHoldsHereWithinTwoSeconds() {
        Vertx here = Vertx.vertx();
        OpenStore store = open(here);
        OpenStore other = open(Vertx.vertx());
        PolicyKeeper keeper = new PolicyKeeper(here, store);
        await(here.deployVerticle(new PolicyVerticle(keeper, true)));

        assertThat(await(other.putPolicy(POLICY, OptionalLong.of(0)))).isPresent();

        Awaitility.await()
                .atMost(Duration.ofSeconds(2))
                .until(() -> keeper.current().policy().pool("claude-max").isPresent());
        await(store.close());
        await(other.close());
    }

    @Test
    void ofTwoNodesThatExpectTheSameVersionOneWins() {
        OpenStore one = open(Vertx.vertx());
        OpenStore other = open(Vertx.vertx());

        var first = one.putPolicy(POLICY, OptionalLong.of(0));
        var second = other.putPolicy("{\"caps\":[]}", OptionalLong.of(0));

        assertThat(List.of(await(first).isPresent(), await(second).isPresent())).containsExactlyInAnyOrder(true, false);
        await(one.close());
        await(other.close());
    }
}
