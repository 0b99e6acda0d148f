package dev.loopkeeper.work;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures on threads that may block: workers and threads outside Vert.x. */
public final class Blocking {
    private Blocking() {}

    /**
     * Waits for the result of the future. Fails as the future does; with {@link CompletionException} where that is
     * checked or it does not come in time, with {@link CancellationException} where the thread is to end.
     */
    public static <T> T answer(Future<T> asked, Duration patience) {
        try {
            return asked.toCompletionStage().toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof RuntimeException known ? known : new CompletionException(refused);
        } catch (TimeoutException late) {
            throw new CompletionException("no answer within " + patience.toSeconds() + " s", late);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new CancellationException("the runtime is stopping");
        }
    }
}
