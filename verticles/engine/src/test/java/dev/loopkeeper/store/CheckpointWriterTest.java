package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.await;
import static dev.loopkeeper.store.StoreSamples.created;
import static dev.loopkeeper.store.StoreSamples.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.sqlite.SqliteEventStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appends over the event bus fail as those of the store itself. */
class CheckpointWriterTest {
    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private OpenStore store;
    private String deployment;
    private CheckpointWriter writer;

    @BeforeEach
    void open() {
        store = await(SqliteEventStore.open(vertx, folder));
        deployment = await(vertx.deployVerticle(new EventStoreVerticle(store)));
        writer = new CheckpointWriter(vertx.eventBus());
    }

    @AfterEach
    void close() {
        await(store.close());
        await(vertx.close());
    }

    @Test
    void answersOnTheContextOfItsCaller() {
        Context caller = vertx.getOrCreateContext();
        Promise<Context> answered = Promise.promise();
        caller.runOnContext(now ->
                writer.append(created("run-1")).onComplete(done -> answered.complete(vertx.getOrCreateContext())));

        assertThat(await(answered.future())).isSameAs(caller);
        assertThat(await(store.find("run-1"))).isPresent();
    }

    @Test
    void failsAsTheStoreDoes() {
        await(writer.append(created("run-1")));
        await(writer.append(StoreSamples.withKey(StoreSamples.append("run-1", 1, 1), "key")));

        assertThat(failure(writer.append(created("run-1")))).isInstanceOf(StaleAppendException.class);
        assertThat(failure(writer.append(StoreSamples.withKey(created("run-2"), "key"))))
                .isInstanceOf(KeyTakenException.class);
    }

    @Test
    void aStoreWithoutAServerIsUnavailable() {
        await(vertx.undeploy(deployment));

        assertThat(failure(writer.append(created("run-1"))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("No handlers");
    }

    @Test
    void aStoreThatDoesNotAnswerInTimeIsUnavailable() {
        await(vertx.undeploy(deployment));
        Promise<Appended> never = Promise.promise();
        await(StoreChannels.APPEND.serve(
                vertx.eventBus(), append -> store.append(append).compose(durable -> never.future())));

        assertThat(failure(new CheckpointWriter(vertx.eventBus(), Duration.ofMillis(500)).append(created("run-1"))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("Timed out");
        Awaitility.await().until(() -> await(store.find("run-1")).isPresent());
    }

    @Test
    void aBugOfTheStoreIsAFailureOfTheStore() {
        await(vertx.undeploy(deployment));
        await(StoreChannels.APPEND.serve(
                vertx.eventBus(), append -> Future.failedFuture(new IllegalStateException("x"))));

        assertThat(failure(writer.append(created("run-1"))))
                .isExactlyInstanceOf(StoreException.class)
                .hasMessage("x");
    }

    @Test
    void usersOfTheBusSeeTheCodesOfRefusals() {
        await(writer.append(created("run-1")));
        await(writer.append(StoreSamples.withKey(StoreSamples.append("run-1", 1, 1), "key")));

        assertThat(code(created("run-1"))).isEqualTo(StaleAppendException.CODE);
        assertThat(code(StoreSamples.withKey(created("run-2"), "key"))).isEqualTo(KeyTakenException.CODE);
        await(store.close());
        assertThat(code(created("run-3"))).isEqualTo(StoreException.CODE);
    }

    private int code(AppendEvents append) {
        DeliveryOptions plain = new DeliveryOptions().setCodecName(RecordCodec.NAME);
        Throwable refused = failure(vertx.eventBus().request("loopkeeper.checkpoints.append", append, plain));
        return ((ReplyException) refused).failureCode();
    }
}
