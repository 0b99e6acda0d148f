package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.StoreChannels.Appended;
import dev.loopkeeper.store.StoreQueue;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.work.InOrder;
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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes in the order of requests, on one connection. Appends that wait while statements are in flight share the next
 * statement, up to a second append to the same run or another kind of write. With enough waiting appends, a second
 * statement is pipelined behind the first. Used on one context.
 */
final class PgWriter {
    private static final Logger LOG = LoggerFactory.getLogger(PgWriter.class);
    private static final int MAX_APPENDS = 500;
    private static final int MAX_EVENTS = 5_000;
    private static final int MAX_IN_FLIGHT = 2;
    /** Fewer appends cost less in one statement than in two. */
    private static final int SECOND_STATEMENT_FROM = 16;

    private final Context context;
    private final PgSession session;
    private final PgFailures failures;
    private final Optional<NodeRegistration> registration;
    private final AppendProbe probe;
    private final StoreQueue others;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    /** Runs with an append in flight. */
    private final Set<String> runsInFlight = new HashSet<>();

    private int inFlight;
    /** Whether a write other than appends is in flight. It has the connection to itself. */
    private boolean otherInFlight;

    private boolean scheduled;
    private boolean beginning;

    private interface Waiting {}

    private record Append(PgAppend.Part part, Promise<Appended> answer) implements Waiting {
        String runId() {
            return part.append().runId();
        }
    }

    private record OtherWrite(Supplier<Future<?>> work) implements Waiting {}

    PgWriter(
            Context context,
            PgSession session,
            PgFailures failures,
            Optional<NodeRegistration> registration,
            AppendProbe probe) {
        this.context = context;
        this.session = session;
        this.failures = failures;
        this.registration = registration;
        this.probe = probe;
        this.others = session.queue();
    }

    /** Appends events of a run. Durable appends are answered in the order of positions. */
    Future<Appended> append(PgAppend.Part part) {
        Promise<Appended> answer = Promise.promise();
        add(new Append(part, answer));
        return answer.future();
    }

    /**
     * Executes another kind of write. One at a time waits among the appends; further ones wait in {@link StoreQueue}.
     */
    <T> Future<T> enqueue(Function<SqlConnection, Future<T>> work) {
        return others.ask(() -> {
            Promise<T> answer = Promise.promise();
            add(new OtherWrite(() -> session.enqueue(work).onComplete(answer)));
            return answer.future();
        });
    }

    /**
     * Begins in a later task of the context, so that requests made until then share the statement: after a batch, all
     * its runs append at once.
     */
    private void add(Waiting write) {
        waiting.add(write);
        if (!scheduled && mayBegin()) {
            context.runOnContext(due -> {
                scheduled = false;
                beginWaiting();
            });
            scheduled = true;
        }
    }

    /**
     * Guards against recursion: a write that fails at once, e.g. without a connection, finishes before {@link #begin}
     * returns.
     */
    private void beginWaiting() {
        if (beginning) {
            return;
        }
        beginning = true;
        try {
            while (mayBegin()) {
                begin();
            }
        } finally {
            beginning = false;
        }
    }

    private boolean mayBegin() {
        return inFlight == 0 ? !waiting.isEmpty() : maySendASecond();
    }

    private boolean maySendASecond() {
        return inFlight < MAX_IN_FLIGHT
                && !otherInFlight
                && session.isConnected()
                && waiting.size() >= SECOND_STATEMENT_FROM
                && waiting.peek() instanceof Append append
                && !runsInFlight.contains(append.runId());
    }

    private void begin() {
        inFlight++;
        if (waiting.peek() instanceof OtherWrite other) {
            waiting.remove();
            otherInFlight = true;
            Future.succeededFuture().compose(begun -> other.work().get()).onComplete(over -> {
                otherInFlight = false;
                finished();
            });
        } else {
            writeBatch(batch());
        }
    }

    private void finished() {
        inFlight--;
        beginWaiting();
    }

    /**
     * Returns how many appends go into one statement. Many waiting appends are halved, so that two statements are in
     * flight.
     */
    private int batchLimit() {
        boolean many =
                inFlight == 1 && session.isConnected() && waiting.size() >= MAX_IN_FLIGHT * SECOND_STATEMENT_FROM;
        return many ? Math.min(MAX_APPENDS, waiting.size() / MAX_IN_FLIGHT) : MAX_APPENDS;
    }

    private List<Append> batch() {
        List<Append> batch = new ArrayList<>();
        int most = batchLimit();
        int events = 0;
        while (batch.size() < most && events < MAX_EVENTS && waiting.peek() instanceof Append append) {
            if (runsInFlight.contains(append.runId())) {
                break;
            }
            events += append.part().append().events().size();
            batch.add(append);
            waiting.remove();
            runsInFlight.add(append.runId());
        }
        return batch;
    }

    private void writeBatch(List<Append> batch) {
        write(batch)
                .recover(cause -> cause instanceof OneRefused ? writeEach(batch) : failed(batch, cause))
                .onComplete(over -> {
                    batch.forEach(append -> runsInFlight.remove(append.runId()));
                    finished();
                });
    }

    /** Completes when all appends of the batch are answered. */
    private Future<Void> write(List<Append> batch) {
        return Future.succeededFuture().compose(begun -> send(batch, statement(batch)));
    }

    private Future<Void> send(List<Append> batch, PgAppend statement) {
        return session.sendNow(connection -> statement
                .execute(connection)
                .recover(cause -> Future.failedFuture(refusedOne(cause)))
                .compose(answers -> refuse(connection, answered(batch, answers))));
    }

    /** Creates the statement of a batch; an exception here is a refusal, since nothing is sent yet. */
    private PgAppend statement(List<Append> batch) {
        try {
            return new PgAppend(batch.stream().map(Append::part).toList(), registration, probe);
        } catch (RuntimeException | Error broken) {
            throw new OneRefused(failures.unwritten(broken));
        }
    }

    /** Answers durable appends at once, before those of the next statement. Returns the refused ones. */
    private List<Append> answered(List<Append> batch, List<Optional<Appended>> answers) {
        List<Append> refused = new ArrayList<>();
        for (int index = 0; index < batch.size(); index++) {
            Append append = batch.get(index);

            answers.get(index).ifPresentOrElse(durable -> answer(append, durable), () -> refused.add(append));
        }
        return refused;
    }

    /** Answers one caller; an exception does not keep the others from being answered. */
    private void answer(Append append, Appended durable) {
        try {
            probe.before(AppendProbe.Point.ANSWER);
            append.answer().tryComplete(durable);
        } catch (RuntimeException | Error broken) {
            LOG.error("run {}: an exception occurred while an append was answered", append.runId(), broken);
            append.answer().tryComplete(durable);
        }
    }

    /** Fails the refused appends. If the reason no longer holds, the caller may retry. */
    private Future<Void> refuse(SqlConnection connection, List<Append> refused) {
        return InOrder.each(
                refused,
                append -> AppendRefusal.of(connection, append.part().append(), registration)
                        .onSuccess(why -> append.answer().tryFail(why.orElseGet(PgWriter::changedElsewhere))));
    }

    private static RuntimeException changedElsewhere() {
        return new StoreUnavailableException("another node has changed the run at the same time", null);
    }

    /** Wraps a refusal of the statement by the server, after which the connection stays usable. */
    private static Throwable refusedOne(Throwable cause) {
        return cause instanceof PgException refused && !PgFailures.isUnavailable(refused)
                ? new OneRefused(refused)
                : cause;
    }

    /** Writes the appends one by one, after the server has refused their common statement. */
    private Future<Void> writeEach(List<Append> batch) {
        return InOrder.each(
                batch,
                append -> write(List.of(append))
                        .recover(cause -> failed(
                                List.of(append), cause instanceof OneRefused refused ? refused.reason() : cause)));
    }

    private Future<Void> failed(List<Append> batch, Throwable cause) {
        batch.forEach(append -> append.answer().tryFail(failures.of(cause)));
        return Future.succeededFuture();
    }

    /** The statement could not be built, or the server refused it: none of it is written. */
    private static final class OneRefused extends RuntimeException {
        private final RuntimeException reason;

        private OneRefused(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }

        private RuntimeException reason() {
            return reason;
        }
    }
}
