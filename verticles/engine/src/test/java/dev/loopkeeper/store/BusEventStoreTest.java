package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same contract for those who reach the store over the event bus. */
class BusEventStoreTest extends EventStoreContract {
    @TempDir
    private Path folder;

    private String deployment;

    @Override
    protected Future<OpenStore> openEmpty() {
        return SqliteEventStore.open(vertx, folder);
    }

    @Override
    protected EventStore reach(OpenStore opened) {
        deployment = await(vertx.deployVerticle(new EventStoreVerticle(opened)));
        return new BusEventStore(vertx.eventBus());
    }

    @Test
    void aStoreThatNobodyServesIsAway() {
        await(vertx.undeploy(deployment));

        assertThat(failure(store.find("run-1")))
                .isInstanceOf(StoreAwayException.class)
                .hasMessageContaining("No handlers");
    }

    @Test
    void aStoreThatDoesNotAnswerInTimeIsAwayAndMayHaveWrittenAllTheSame() {
        await(vertx.undeploy(deployment));
        Promise<Appended> never = Promise.promise();
        await(StoreChannels.APPEND.serve(
                vertx.eventBus(), append -> opened.append(append).compose(durable -> never.future())));

        assertThat(failure(new BusEventStore(vertx.eventBus(), Duration.ofMillis(500)).append(created("run-1"))))
                .isInstanceOf(StoreAwayException.class)
                .hasMessageContaining("Timed out");
        Awaitility.await().until(() -> await(opened.find("run-1")).isPresent());
    }

    @Test
    void aFlawOfTheStoreIsTroubleOfTheStore() {
        await(vertx.undeploy(deployment));
        await(StoreChannels.FIND.serve(vertx.eventBus(), asked -> Future.failedFuture(new IllegalStateException("x"))));

        assertThat(failure(store.find("run-1")))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("x");
    }

    @Test
    void whoUsesTheBusItselfSeesTheCodesOfRefusals() {
        await(store.append(created("run-1")));
        await(store.append(StoreSamples.withKey(StoreSamples.append("run-1", 1, 1), "key")));

        assertThat(code(created("run-1"))).isEqualTo(StaleAppendException.CODE);
        assertThat(code(StoreSamples.withKey(created("run-2"), "key"))).isEqualTo(KeyTakenException.CODE);
        await(opened.close());
        assertThat(code(created("run-3"))).isEqualTo(StoreException.CODE);
    }

    private int code(AppendEvents append) {
        var plain = new io.vertx.core.eventbus.DeliveryOptions().setCodecName(RecordCodec.NAME);
        Throwable refused = failure(vertx.eventBus().request("loopkeeper.checkpoints.append", append, plain));
        return ((ReplyException) refused).failureCode();
    }
}
