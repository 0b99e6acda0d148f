package dev.loopkeeper.work;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A stream that reads its next piece only once the one before was taken. Works on the context that made it. A reader
 * that removes its handler ends it.
 */
public final class PulledStream implements ReadStream<Buffer> {
    private static final long RETRY_MILLIS = 250;

    private final Context context;
    private final Supplier<Future<Optional<Buffer>>> next;
    private final Runnable closing;
    private Handler<Buffer> pieces;
    private Handler<Void> end = over -> {};
    private Handler<Throwable> failure = cause -> {};
    private long demand = Long.MAX_VALUE;
    /** Read before a pause. */
    private Optional<Future<Optional<Buffer>>> held = Optional.empty();

    private boolean reading;
    private boolean over;

    /**
     * @param next the next piece: absent at the end, an empty one where nothing is there yet
     * @param closing runs once, at the end
     */
    public PulledStream(Vertx vertx, Supplier<Future<Optional<Buffer>>> next, Runnable closing) {
        this.context = vertx.getOrCreateContext();
        this.next = next;
        this.closing = closing;
    }

    @Override
    public PulledStream handler(Handler<Buffer> handler) {
        pieces = handler;
        if (handler == null) {
            close();
        }
        read();
        return this;
    }

    @Override
    public PulledStream exceptionHandler(Handler<Throwable> handler) {
        failure = handler == null ? cause -> {} : handler;
        return this;
    }

    @Override
    public PulledStream endHandler(Handler<Void> handler) {
        end = handler == null ? over -> {} : handler;
        return this;
    }

    @Override
    public PulledStream pause() {
        demand = 0;
        return this;
    }

    @Override
    public PulledStream resume() {
        return fetch(Long.MAX_VALUE);
    }

    @Override
    public PulledStream fetch(long amount) {
        demand = amount > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + amount;
        read();
        return this;
    }

    private void read() {
        if (!reading && !over && pieces != null && demand > 0) {
            reading = true;
            Supplier<Future<Optional<Buffer>>> source = held.<Supplier<Future<Optional<Buffer>>>>map(
                            piece -> () -> piece)
                    .orElse(next);
            held = Optional.empty();
            context.runOnContext(now -> source.get().onComplete(piece -> context.runOnContext(read -> deliver(piece))));
        }
    }

    private void deliver(AsyncResult<Optional<Buffer>> piece) {
        reading = false;
        if (over) {
            return;
        }
        if (piece.failed()) {
            close();
            failure.handle(piece.cause());
        } else if (piece.result().isEmpty()) {
            close();
            end.handle(null);
        } else if (piece.result().get().length() == 0) {
            context.owner().setTimer(RETRY_MILLIS, due -> read());
        } else if (demand == 0) {
            held = Optional.of(Future.succeededFuture(piece.result()));
        } else {
            demand = demand == Long.MAX_VALUE ? demand : demand - 1;
            try {
                pieces.handle(piece.result().get());
            } finally {
                read();
            }
        }
    }

    private void close() {
        if (!over) {
            over = true;
            closing.run();
        }
    }
}
