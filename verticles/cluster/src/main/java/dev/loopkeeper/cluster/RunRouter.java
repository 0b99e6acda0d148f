package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.loopkeeper.contract.run.RunAnswer;
import dev.loopkeeper.contract.run.RunRouting;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.RunRow;
import dev.loopkeeper.store.postgres.CommandInbox;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands to the nodes that own the runs, by rows of the database, and carries out those of own runs. What the
 * owner does not take in time is withdrawn, so that nobody is surprised later by what was asked long ago.
 */
public final class RunRouter implements RunRouting {
    private static final Logger LOG = LoggerFactory.getLogger(RunRouter.class);
    /** With an owner that does not take a command; less than the way in waits for its answer. */
    static final Duration PATIENCE = Duration.ofSeconds(12);

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration LOOK_AT_OWNER = Duration.ofSeconds(2);
    /** Less than the way in waits for the longest grace. */
    private static final Duration LONGEST_KILL = Duration.ofMinutes(5);

    private static final String NOTHING_DONE = "does not answer; nothing was done. See it in GET /nodes, and ask"
            + " again when it is back or the run was taken over";
    private static final String UNKNOWN =
            "has not answered yet, so what was asked for may be carried out; look at the" + " run before you ask again";

    /** What the node knows of itself. Called from any thread. */
    public interface Seat {
        /** Its name. */
        String node();

        /** Whether it has a lease. */
        boolean isLive();

        /** Whether it carries this run out, as far as it knows. */
        boolean isOwn(String runId);

        /** Makes the run this node's where nobody live owns it and it may be carried out here; whether it is ours now. */
        Future<Boolean> takeNow(String runId);

        /** Whether a node has the run, which may be silent for less than its lease. */
        Future<Boolean> hasOwner(String runId);
    }

    private final Vertx vertx;
    private final HomeContext home;
    private final Seat seat;
    private final CommandInbox inbox;
    private final Supplier<? extends EventStore> store;
    private final Duration patience;
    private final CommandCarrier carrier;
    /** Commands of this node that others are to answer, by number. On the context. */
    private final Map<Long, Promise<String>> waiting = new HashMap<>();

    private boolean begun;
    private boolean looking;
    private long timer;

    /**
     * Begins to work with {@link #begin}; until then commands to runs of others wait for their answer in vain.
     *
     * @param patience with an owner that does not take a command
     */
    RunRouter(Vertx vertx, Seat seat, CommandInbox inbox, Supplier<? extends EventStore> store, Duration patience) {
        this.vertx = vertx;
        this.home = new HomeContext(vertx.getOrCreateContext());
        this.seat = seat;
        this.inbox = inbox;
        this.store = store;
        this.patience = patience;
        this.carrier = new CommandCarrier(vertx, seat, inbox, store);
    }

    /** Carries out commands to own runs from now on; once the node serves its runs. */
    public Future<Void> begin() {
        return home.call(() -> {
            begun = true;
            inbox.watch(() -> home.run(this::look));
            timer = vertx.setPeriodic(LOOK.toMillis(), due -> look());
            return Future.succeededFuture();
        });
    }

    /** Takes no more commands and waits for those under way. The inbox stays open. */
    public Future<Void> end() {
        return home.call(() -> {
            if (begun) {
                boolean unused = vertx.cancelTimer(timer);
                begun = false;
            }
            return carrier.close();
        });
    }

    private void look() {
        if (!begun) {
            return;
        }
        if (seat.isLive()) {
            carrier.look();
        }
        if (!waiting.isEmpty() && !looking) {
            looking = true;
            inbox.answers(Set.copyOf(waiting.keySet()))
                    .onComplete(found -> home.run(() -> {
                        looking = false;
                        if (found.succeeded()) {
                            found.result().forEach(this::answered);
                        }
                    }));
        }
    }

    private void answered(long id, String answer) {
        Promise<String> asked = waiting.remove(id);
        if (asked != null) {
            asked.tryComplete(answer);
        }
    }

    @Override
    public Future<RunAnswer> route(String verb, String runId, Record command, Supplier<Future<RunAnswer>> here) {
        if (seat.isOwn(runId) || carrier.carries(runId)) {
            return here.get();
        }
        HomeContext caller = new HomeContext(vertx.getOrCreateContext());
        return caller.bring(seat.takeNow(runId)
                .compose(ours -> ours ? Future.succeededFuture(true) : isUnknown(runId))
                // Of what nobody has there is nobody to ask.
                .compose(answered -> answered ? caller.call(here) : ask(verb, runId, command)));
    }

    private Future<Boolean> isUnknown(String runId) {
        return store.get().find(runId).map(Optional::isEmpty);
    }

    private Future<RunAnswer> ask(String verb, String runId, Record command) {
        return inbox.ask(runId, verb, Json.MAPPER.valueToTree(command).toString(), seat.node())
                .compose(id -> home.call(() -> await(id, verb, runId)));
    }

    private Future<RunAnswer> await(long id, String verb, String runId) {
        Promise<String> answer = Promise.promise();
        waiting.put(id, answer);
        look();
        long late = vertx.setTimer(patience.toMillis(), due -> giveUp(id, verb, runId, answer));
        return answer.future().onComplete(over -> vertx.cancelTimer(late)).map(RunRouter::read);
    }

    private void giveUp(long id, String verb, String runId, Promise<String> answer) {
        inbox.withdraw(id)
                .onComplete(done -> home.run(() -> {
                    if (done.failed()) {
                        over(id, Future.failedFuture(done.cause()), answer);
                    } else if (done.result()) {
                        over(id, refused(runId, NOTHING_DONE), answer);
                    } else {
                        goOn(id, runId, verb.equals(CommandCarrier.KILL) ? LONGEST_KILL : Duration.ZERO, answer);
                    }
                }));
    }

    /** It is carried out: what takes long is waited for as long as its node is not lost. */
    private void goOn(long id, String runId, Duration more, Promise<String> answer) {
        if (answer.future().isComplete()) {
            return;
        }
        if (more.isZero() || more.isNegative()) {
            over(id, last(id, runId), answer);
            return;
        }
        vertx.setTimer(
                LOOK_AT_OWNER.toMillis(),
                due -> seat.hasOwner(runId)
                        // While the database is away nobody knows.
                        .otherwise(true)
                        .onComplete(owned -> home.run(() ->
                                goOn(id, runId, owned.result() ? more.minus(LOOK_AT_OWNER) : Duration.ZERO, answer))));
    }

    private void over(long id, Future<String> last, Promise<String> answer) {
        waiting.remove(id);
        last.onComplete(told -> {
            if (told.succeeded()) {
                answer.tryComplete(told.result());
            } else {
                answer.tryFail(told.cause());
            }
        });
    }

    private Future<String> last(long id, String runId) {
        return inbox.answers(Set.of(id))
                .compose(found ->
                        found.containsKey(id) ? Future.succeededFuture(found.get(id)) : refused(runId, UNKNOWN));
    }

    private Future<String> refused(String runId, String why) {
        return store.get()
                .find(runId)
                .map(row -> awaited(runId, row.map(RunRow::view).orElse(MissingNode.getInstance())))
                .otherwise(unread -> carrier("", runId))
                .map(node -> write(RunAnswer.refused(new Refusal("node-unreachable", node + " " + why))));
    }

    /** E.g. {@code the node that run demo-1 waits for (n1, silent 3 m)}. */
    private static String awaited(String runId, JsonNode run) {
        return run.has("waitsFor")
                ? "the node that run " + runId + " waits for ("
                        + run.path("waitsFor").asText() + ")"
                : carrier(run.path("owner").path("node").asText(), runId);
    }

    /** E.g. {@code node n1, which carries out run demo-1,}; where the node is empty, without its name. */
    static String carrier(String node, String runId) {
        return node.isEmpty()
                ? "the node that carries out run " + runId
                : "node " + node + ", which carries out run " + runId + ",";
    }

    static String write(RunAnswer answer) {
        return Json.MAPPER.valueToTree(answer).toString();
    }

    static RunAnswer read(String answer) {
        try {
            return Json.MAPPER.readValue(answer, RunAnswer.class);
        } catch (JsonProcessingException unreadable) {
            LOG.warn("an answer to a command cannot be read: {}", unreadable.getMessage());
            return RunAnswer.refused(new Refusal(
                    "node-unreachable",
                    "the node that carries the run out answered in a way that this one does not know"));
        }
    }
}
