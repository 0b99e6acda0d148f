package dev.loopkeeper.work;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** The one context on which something lives, for those who ask it from elsewhere. Any thread. */
public final class HomeContext {
    private final Context context;

    public HomeContext(Context context) {
        this.context = context;
    }

    /** Does this there, a turn later. */
    public void run(Runnable work) {
        context.runOnContext(now -> work.run());
    }

    /** Does this there, where its future completes as well; what it throws fails that. */
    public <T> Future<T> call(Supplier<Future<T>> work) {
        Promise<T> done = Promise.promise();
        run(() -> Future.succeededFuture().compose(begun -> work.get()).onComplete(done));
        return done.future();
    }

    /** What comes of this elsewhere, told there. */
    public <T> Future<T> bring(Future<T> elsewhere) {
        Promise<T> told = Promise.promise();
        elsewhere.onComplete(done -> run(() -> told.handle(done)));
        return told.future();
    }

    /** Does this there and tells the caller on its own context, in the order of answers. */
    public <T> Future<T> ask(Supplier<Future<T>> work) {
        return new HomeContext(context.owner().getOrCreateContext()).bring(call(work));
    }
}
