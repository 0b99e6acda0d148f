package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLoopTest {
    private final Vertx vertx = Vertx.vertx();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    private final class EnginePart extends VerticleBase {
        private final String name;
        private final boolean starts;

        EnginePart(String name, boolean starts) {
            this.name = name;
            this.starts = starts;
        }

        @Override
        public Future<?> start() {
            threads.add(Thread.currentThread());
            reported.add(name + " starts");
            return starts ? Future.succeededFuture() : Future.failedFuture("no " + name);
        }

        @Override
        public Future<?> stop() {
            threads.add(Thread.currentThread());
            reported.add(name + " stops");
            return Future.failedFuture("badly");
        }
    }

    @CanIgnoreReturnValue
    private static <T> T await(Future<T> future) throws Exception {
        return future.await(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    @Test
    void allAreOnOneThreadAndLeaveInTheReverseOrderWhateverFails() throws Exception {
        EngineLoop loop = new EngineLoop(Future::succeededFuture);
        String id = await(vertx.deployVerticle(loop));
        await(loop.host(new EnginePart("a", true)));
        await(loop.host(new EnginePart("b", true)));
        assertThatThrownBy(() -> await(loop.host(new EnginePart("c", false)))).hasMessageContaining("no c");
        await(vertx.undeploy(id));

        assertThat(reported).containsExactly("a starts", "b starts", "c starts", "b stops", "a stops");
        assertThat(threads).hasSize(1);
    }

    /** One that had a loop of its own was woken, and woke the others, several times at every step. */
    @Test
    void nothingOfTheEngineIsDeployedBesideItButTheFolder(@TempDir Path data) throws Exception {
        Loopkeeper keeper = await(Loopkeeper.start(vertx, LoopkeeperOptions.of(data)));

        assertThat(vertx.deploymentIDs()).hasSize(2);
        await(keeper.close());
        assertThat(vertx.deploymentIDs()).isEmpty();
    }
}
