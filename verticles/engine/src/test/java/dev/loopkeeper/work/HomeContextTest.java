package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HomeContextTest {
    private static final int SOON = 60;

    private final Vertx vertx = Vertx.vertx();
    private final Context there = vertx.getOrCreateContext();
    private final Context here = vertx.getOrCreateContext();
    private final HomeContext home = new HomeContext(there);

    @AfterEach
    void close() throws Exception {
        done(vertx.close());
    }

    private static <T> T done(Future<T> work) throws Exception {
        return work.toCompletionStage().toCompletableFuture().get(SOON, TimeUnit.SECONDS);
    }

    private static Future<Context> current() {
        return Future.succeededFuture(Vertx.currentContext());
    }

    @Test
    void doesThereWhatIsCalledFromElsewhere() throws Exception {
        assertThat(done(home.call(HomeContextTest::current))).isSameAs(there);
    }

    @Test
    void failsWithWhatTheWorkThrows() {
        Future<Void> called = home.call(() -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(() -> done(called))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("broken");
    }

    @Test
    void reportsResultsOfOtherThreadsOnItsContext() throws Exception {
        Promise<String> elsewhere = Promise.promise();
        Future<Context> reported = home.bring(elsewhere.future()).map(answer -> Vertx.currentContext());
        here.runOnContext(now -> elsewhere.complete("over"));

        assertThat(done(reported)).isSameAs(there);
    }

    @Test
    void answersOnTheContextOfTheCaller() throws Exception {
        Promise<Context> answered = Promise.promise();
        here.runOnContext(now -> home.ask(HomeContextTest::current)
                .onSuccess(worked -> assertThat(worked).isSameAs(there))
                .map(worked -> Vertx.currentContext())
                .onComplete(answered));

        assertThat(done(answered.future())).isSameAs(here);
    }
}
