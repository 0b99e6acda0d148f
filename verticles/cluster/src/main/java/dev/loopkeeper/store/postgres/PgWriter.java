package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.StoreAwayException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes in the order in which it is asked, on one connection. Whoever waits while a statement is under way goes into the
 * next one, up to the first that cannot: another append of the same run, or another kind of write. On one context.
 */
final class PgWriter {
    private static final int MOST_APPENDS = 500;
    private static final int MOST_EVENTS = 5_000;

    private final Context context;
    private final PgSession session;
    private final PgTrouble trouble;
    private final Optional<NodeSeat> seat;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private boolean busy;

    private interface Waiting {}

    private record Append(PgAppend.Part part, Promise<Appended> answer) implements Waiting {}

    private record Other(Runnable work) implements Waiting {}

    PgWriter(Context context, PgSession session, PgTrouble trouble, Optional<NodeSeat> seat) {
        this.context = context;
        this.session = session;
        this.trouble = trouble;
        this.seat = seat;
    }

    Future<Appended> append(PgAppend.Part part) {
        Promise<Appended> answer = Promise.promise();
        add(new Append(part, answer));
        return answer.future();
    }

    <T> Future<T> during(Function<SqlConnection, Future<T>> work) {
        Promise<T> answer = Promise.promise();
        add(new Other(() -> session.during(work).onComplete(done -> {
            answer.handle(done);
            next();
        })));
        return answer.future();
    }

    /** What the context is asked for before its turn comes goes along: after a batch, all its runs ask at once. */
    private void add(Waiting write) {
        waiting.add(write);
        if (!busy) {
            busy = true;
            context.runOnContext(turn -> next());
        }
    }

    private void next() {
        Waiting first = waiting.peek();
        busy = first != null;
        if (first instanceof Other other) {
            waiting.remove();
            other.work().run();
        } else if (first != null) {
            together(batch());
        }
    }

    private List<Append> batch() {
        List<Append> batch = new ArrayList<>();
        Set<String> runs = new HashSet<>();
        int events = 0;
        while (batch.size() < MOST_APPENDS && events < MOST_EVENTS && waiting.peek() instanceof Append append) {
            if (!runs.add(append.part().append().runId())) {
                break;
            }
            events += append.part().append().events().size();
            batch.add(append);
            waiting.remove();
        }
        return batch;
    }

    private void together(List<Append> batch) {
        write(batch)
                .recover(cause -> cause instanceof OneRefused ? apart(batch, 0) : failed(batch, cause))
                .onComplete(over -> next());
    }

    /** What is to be answered is answered when this completes. */
    private Future<Void> write(List<Append> batch) {
        PgAppend statement = new PgAppend(batch.stream().map(Append::part).toList(), seat);
        return session.during(connection -> statement
                        .execute(connection)
                        .recover(cause -> Future.failedFuture(refusedOne(cause)))
                        .compose(answers ->
                                refusals(connection, batch, answers).map(refusals -> new Written(answers, refusals))))
                .map(written -> {
                    written.answer(batch);
                    return null;
                });
    }

    private record Written(List<Optional<Appended>> answers, List<Optional<RuntimeException>> refusals) {
        /** What spoke against it is gone: whoever looks again may append. */
        private static RuntimeException gone() {
            return new StoreAwayException("another node has changed the run meanwhile", null);
        }

        private void answer(List<Append> batch) {
            for (int place = 0; place < batch.size(); place++) {
                Append append = batch.get(place);
                Optional<RuntimeException> refusal = refusals.get(place);
                answers.get(place)
                        .ifPresentOrElse(
                                append.answer()::complete,
                                () -> append.answer().fail(refusal.orElseGet(Written::gone)));
            }
        }
    }

    /** Those of the server that concern the statement; its connection is as good as before. */
    private static Throwable refusedOne(Throwable cause) {
        return cause instanceof PgException refused && !PgTrouble.isAway(refused) ? new OneRefused(refused) : cause;
    }

    private Future<List<Optional<RuntimeException>>> refusals(
            SqlConnection connection, List<Append> batch, List<Optional<Appended>> answers) {
        Future<List<Optional<RuntimeException>>> all = Future.succeededFuture(new ArrayList<>());
        for (int place = 0; place < batch.size(); place++) {
            Append append = batch.get(place);
            Future<Optional<RuntimeException>> one = Future.succeededFuture(Optional.empty());
            boolean refused = answers.get(place).isEmpty();
            all = all.compose(before -> (refused
                            ? PgAppend.refusal(connection, append.part().append(), seat)
                            : one)
                    .map(why -> {
                        before.add(why);
                        return before;
                    }));
        }
        return all;
    }

    /** One of them breaks the statement, or another node has created a run of theirs meanwhile: each has its own now. */
    private Future<Void> apart(List<Append> batch, int from) {
        if (from == batch.size()) {
            return Future.succeededFuture();
        }
        List<Append> one = List.of(batch.get(from));
        return write(one)
                .recover(cause -> failed(one, cause instanceof OneRefused refused ? refused.reason() : cause))
                .compose(over -> apart(batch, from + 1));
    }

    private Future<Void> failed(List<Append> batch, Throwable cause) {
        batch.forEach(append -> append.answer().tryFail(trouble.of(cause)));
        return Future.succeededFuture();
    }

    /** The server has refused the statement as a whole. */
    private static final class OneRefused extends RuntimeException {
        private final PgException reason;

        private OneRefused(PgException reason) {
            super(reason);
            this.reason = reason;
        }

        private PgException reason() {
            return reason;
        }
    }
}
