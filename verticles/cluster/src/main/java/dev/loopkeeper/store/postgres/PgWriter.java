package dev.loopkeeper.store.postgres;

import dev.loopkeeper.store.Appended;
import dev.loopkeeper.store.StoreAwayException;
import dev.loopkeeper.store.StoreQueue;
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
 * Writes in the order in which it is asked, on one connection. Whoever waits while statements are under way goes into the
 * next one, up to the first that cannot: an append of a run of which another is under way, or another kind of write. Where
 * enough wait, a second statement is sent behind the first, so that the database has work while answers are on their way.
 * On one context.
 */
final class PgWriter {
    private static final Logger LOG = LoggerFactory.getLogger(PgWriter.class);
    private static final int MOST_APPENDS = 500;
    private static final int MOST_EVENTS = 5_000;
    private static final int MOST_UNDER_WAY = 2;
    /** A statement costs as much as some appends. */
    private static final int ENOUGH_FOR_A_SECOND = 16;

    private final Context context;
    private final PgSession session;
    private final PgTrouble trouble;
    private final Optional<NodeSeat> seat;
    private final AppendProbe probe;
    private final StoreQueue others;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    /** Of appends whose statements are not over. */
    private final Set<String> runsUnderWay = new HashSet<>();

    private int underWay;
    /** Something else than appends, which has the connection for itself. */
    private boolean otherUnderWay;

    private boolean turnAsked;
    private boolean goingOn;

    private interface Waiting {}

    private record Append(PgAppend.Part part, Promise<Appended> answer) implements Waiting {
        String runId() {
            return part.append().runId();
        }
    }

    private record Other(Supplier<Future<?>> work) implements Waiting {}

    PgWriter(Context context, PgSession session, PgTrouble trouble, Optional<NodeSeat> seat, AppendProbe probe) {
        this.context = context;
        this.session = session;
        this.trouble = trouble;
        this.seat = seat;
        this.probe = probe;
        this.others = session.queue();
    }

    /** Those of them that become durable are answered in the order of positions. */
    Future<Appended> append(PgAppend.Part part) {
        Promise<Appended> answer = Promise.promise();
        add(new Append(part, answer));
        return answer.future();
    }

    /** One of them waits with the appends at a time: the others in {@link StoreQueue}. */
    <T> Future<T> during(Function<SqlConnection, Future<T>> work) {
        return others.ask(() -> {
            Promise<T> answer = Promise.promise();
            add(new Other(() -> session.during(work).onComplete(answer)));
            return answer.future();
        });
    }

    /** What the context is asked for before its turn comes goes along: after a batch, all its runs ask at once. */
    private void add(Waiting write) {
        waiting.add(write);
        if (!turnAsked && mayBegin()) {
            context.runOnContext(turn -> {
                turnAsked = false;
                goOn();
            });
            turnAsked = true;
        }
    }

    /** What fails at once, as where there is no connection, is over before its beginning has returned. */
    private void goOn() {
        if (goingOn) {
            return;
        }
        goingOn = true;
        try {
            while (mayBegin()) {
                begin();
            }
        } finally {
            goingOn = false;
        }
    }

    private boolean mayBegin() {
        return underWay == 0 ? !waiting.isEmpty() : maySendASecond();
    }

    private boolean maySendASecond() {
        return underWay < MOST_UNDER_WAY
                && !otherUnderWay
                && session.isConnected()
                && waiting.size() >= ENOUGH_FOR_A_SECOND
                && waiting.peek() instanceof Append append
                && !runsUnderWay.contains(append.runId());
    }

    private void begin() {
        underWay++;
        if (waiting.peek() instanceof Other other) {
            waiting.remove();
            otherUnderWay = true;
            Future.succeededFuture().compose(begun -> other.work().get()).onComplete(over -> {
                otherUnderWay = false;
                over();
            });
        } else {
            together(batch());
        }
    }

    private void over() {
        underWay--;
        goOn();
    }

    /** Of many that find nothing under way a half, so that the other half can follow. */
    private int most() {
        boolean many = underWay == 1 && session.isConnected() && waiting.size() >= MOST_UNDER_WAY * ENOUGH_FOR_A_SECOND;
        return many ? Math.min(MOST_APPENDS, waiting.size() / MOST_UNDER_WAY) : MOST_APPENDS;
    }

    private List<Append> batch() {
        List<Append> batch = new ArrayList<>();
        int most = most();
        int events = 0;
        while (batch.size() < most && events < MOST_EVENTS && waiting.peek() instanceof Append append) {
            if (runsUnderWay.contains(append.runId())) {
                break;
            }
            events += append.part().append().events().size();
            batch.add(append);
            waiting.remove();
            runsUnderWay.add(append.runId());
        }
        return batch;
    }

    private void together(List<Append> batch) {
        write(batch)
                .recover(cause -> cause instanceof OneRefused ? apart(batch, 0) : failed(batch, cause))
                .onComplete(over -> {
                    batch.forEach(append -> runsUnderWay.remove(append.runId()));
                    over();
                });
    }

    /** Completes when all are answered. */
    private Future<Void> write(List<Append> batch) {
        return Future.succeededFuture().compose(begun -> send(batch, statement(batch)));
    }

    private Future<Void> send(List<Append> batch, PgAppend statement) {
        return session.beside(connection -> statement
                .execute(connection)
                .recover(cause -> Future.failedFuture(refusedOne(cause)))
                .compose(answers -> refuse(connection, answered(batch, answers))));
    }

    /** Nothing is sent yet, so what breaks here is a refusal. */
    private PgAppend statement(List<Append> batch) {
        try {
            return new PgAppend(batch.stream().map(Append::part).toList(), seat, probe);
        } catch (RuntimeException | Error broken) {
            throw new OneRefused(trouble.unwritten(broken));
        }
    }

    /** Answers at once, before the answers of a statement behind this one; gives back those that were refused. */
    private List<Append> answered(List<Append> batch, List<Optional<Appended>> answers) {
        List<Append> refused = new ArrayList<>();
        for (int place = 0; place < batch.size(); place++) {
            Append append = batch.get(place);
            // One that came too late was given up before.
            answers.get(place).ifPresentOrElse(durable -> answer(append, durable), () -> refused.add(append));
        }
        return refused;
    }

    /** Whatever breaks while one caller is answered, the others are answered as well. */
    private void answer(Append append, Appended durable) {
        try {
            probe.before(AppendProbe.Point.ANSWER);
            append.answer().tryComplete(durable);
        } catch (RuntimeException | Error broken) {
            LOG.error("run {}: answering an append broke", append.runId(), broken);
            append.answer().tryComplete(durable);
        }
    }

    /** What spoke against it may be gone: whoever looks again may append then. */
    private Future<Void> refuse(SqlConnection connection, List<Append> refused) {
        Future<Void> told = Future.succeededFuture();
        for (Append append : refused) {
            told = told.compose(before -> PgAppend.refusal(
                            connection, append.part().append(), seat)
                    .map(why -> {
                        append.answer().tryFail(why.orElseGet(PgWriter::gone));
                        return null;
                    }));
        }
        return told;
    }

    private static RuntimeException gone() {
        return new StoreAwayException("another node has changed the run meanwhile", null);
    }

    /** Those of the server that concern the statement; its connection is as good as before. */
    private static Throwable refusedOne(Throwable cause) {
        return cause instanceof PgException refused && !PgTrouble.isAway(refused) ? new OneRefused(refused) : cause;
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

    /** The statement could not be made, or the server has refused it as a whole: nothing of it is written. */
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
