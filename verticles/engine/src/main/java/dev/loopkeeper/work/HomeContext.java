package dev.loopkeeper.work;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** The Vert.x context that owns some state. Callers on other threads run their work on it. Thread-safe. */
public final class HomeContext {
    private final Context context;

    public HomeContext(Context context) {
        this.context = context;
    }

    /** Runs the work on this context, in a later turn. */
    public void run(Runnable work) {
        context.runOnContext(now -> work.run());
    }

    /** Runs the work on this context, where the returned future completes too. An exception fails that future. */
    public <T> Future<T> call(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        run(() -> Future.succeededFuture().compose(begun -> work.get()).onComplete(done));
        return done.future();
    }

    /** Returns a future with the same result that completes on this context. */
    public <T> Future<T> bring(Future<T> elsewhere) {
        Promise<T> here = Promise.promise();
        elsewhere.onComplete(done -> run(() -> here.handle(done)));
        return here.future();
    }

    /** Runs the work on this context; the returned future completes on the context of the caller. */
    public <T> Future<T> ask(Supplier<Future<T>> work) {
        return new HomeContext(context.owner().getOrCreateContext()).bring(call(work));
    }
}
