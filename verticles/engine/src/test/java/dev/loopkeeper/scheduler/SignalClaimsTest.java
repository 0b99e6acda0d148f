package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.SignalsResolved;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.SignalClaim;
import dev.loopkeeper.store.SharedSignalFiles;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SignalClaimsTest {
    private static final long PATIENCE_SECONDS = 60;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> released = new CopyOnWriteArrayList<>();
    private final SignalClaims claims = new SignalClaims(vertx, new Recorder(), new HashMap<>());
    private RunState fresh;

    /** Every file is free. */
    private final class Recorder implements SharedSignalFiles {
        @Override
        public Future<Map<String, String>> take(String runId, long sequence, Set<String> identities) {
            return Future.succeededFuture(Map.of());
        }

        @Override
        public Future<Void> release(String runId) {
            released.add(runId);
            return Future.succeededFuture();
        }
    }

    @BeforeEach
    void createARun() throws Exception {
        RecordCodec.register(vertx);
        var resolving = SignalChannels.RESOLVE.serve(
                vertx.eventBus(),
                asked -> Future.succeededFuture(new SignalsResolved(asked.files().stream()
                        .map(file -> new SignalClaim(file, Set.of(file)))
                        .toList())));
        assertThat(resolving.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
        JsonNode document = Json.MAPPER.readTree("""
                {"name": "one", "agents": {"a": {"command": "true", "signal": "a.json"}},
                 "phases": [{"name": "only", "task": "a"}]}
                """);
        Manifest manifest = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
        RunCreated created = new RunCreated(
                "r1",
                "one",
                "nonce",
                "/",
                "/",
                true,
                document,
                manifest,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        fresh = RunMachine.create(created, Instant.parse("2026-11-20T15:12:33Z"))
                .state();
    }

    @AfterEach
    void closeVertx() throws Exception {
        assertThat(vertx.close().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNull();
    }

    @CanIgnoreReturnValue
    private <T> T onContext(Supplier<Future<T>> work) throws Exception {
        Promise<T> done = Promise.promise();
        context.runOnContext(begun -> work.get().onComplete(done));
        return done.future().await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void onContext(Runnable work) throws Exception {
        onContext(() -> {
            work.run();
            return Future.succeededFuture();
        });
    }

    private void reserve() throws Exception {
        assertThat(onContext(() -> claims.reserve(fresh))).isEmpty();
    }

    /** The store's answer to a creation was lost. */
    private void loseTheAnswer() throws Exception {
        onContext(() -> {
            claims.uncertain("r1");
            claims.settle("r1");
        });
    }

    @Test
    void aRunWhoseCreationIsUncertainKeepsItsFilesUntilTheStoreSaysThatThereIsNone() throws Exception {
        reserve();
        loseTheAnswer();
        assertThat(released).isEmpty();

        onContext(() -> claims.releaseTaken("r1"));
        assertThat(released).containsExactly("r1");
    }

    @Test
    void theFilesOfANewAttemptAreNotReleasedWithThoseOfTheEarlierOne() throws Exception {
        reserve();
        loseTheAnswer();
        reserve();

        onContext(() -> claims.releaseTaken("r1"));
        assertThat(released).as("the new attempt is about to create the run").isEmpty();

        onContext(() -> claims.settle("r1"));
        assertThat(released).containsExactly("r1");
    }
}
