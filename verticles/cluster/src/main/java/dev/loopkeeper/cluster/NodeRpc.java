package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.CheckoutChannels;
import dev.loopkeeper.contract.CodedFailure;
import dev.loopkeeper.contract.NodeChannels;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.ProcessChannels;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.SchedulerChannels;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.postgres.NodeRequests;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests about other nodes' machines, and answers them for this one: a fixed list of channels, through the
 * database, so that no other connection is required. Used on one context.
 */
final class NodeRpc {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRpc.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final int BATCH = 50;

    /** Channels that a node serves to other nodes. */
    private static final Map<String, RequestChannel<?, ?>> ANSWERED = Stream.of(
                    ProcessChannels.LIST,
                    ProcessChannels.REAP,
                    SchedulerChannels.OPEN_STEPS,
                    SchedulerChannels.ACTIVITY,
                    NodeChannels.READ_LOG,
                    NodeChannels.LIST_FILES,
                    NodeChannels.READ_FILE,
                    CheckoutChannels.CHECK,
                    CheckoutChannels.DIFF,
                    CheckoutChannels.READ_DIFF)
            .collect(Collectors.toMap(RequestChannel::address, Function.identity()));

    /** Channels among those whose requests may be repeated. */
    private static final Set<String> READS = Set.of(
            ProcessChannels.LIST.address(),
            SchedulerChannels.OPEN_STEPS.address(),
            SchedulerChannels.ACTIVITY.address(),
            NodeChannels.READ_LOG.address(),
            NodeChannels.LIST_FILES.address(),
            NodeChannels.READ_FILE.address(),
            CheckoutChannels.CHECK.address(),
            CheckoutChannels.DIFF.address(),
            CheckoutChannels.READ_DIFF.address());

    private final Vertx vertx;
    private final Context context;
    private final String node;
    private final NodeRequests requests;
    private final NodeBus bus;
    /** Requests of this node that wait for an answer, by number. */
    private final Map<Long, Promise<NodeReply>> waiting = new HashMap<>();

    private boolean reading;
    private boolean taking;
    private boolean again;
    private boolean closed;
    private long timer;

    NodeRpc(Vertx vertx, String node, NodeRequests requests, NodeBus bus) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.node = node;
        this.requests = requests;
        this.bus = bus;
    }

    /** Call on the context that created it. */
    void begin() {
        requests.watch(() -> context.runOnContext(hint -> poll()));
        timer = vertx.setPeriodic(POLL_INTERVAL.toMillis(), due -> poll());
    }

    /** Stops answering and completes waiting requests as unanswered. */
    Future<Void> end() {
        closed = true;
        boolean unused = vertx.cancelTimer(timer);
        List.copyOf(waiting.values()).forEach(asked -> asked.tryComplete(NodeReply.silent()));
        waiting.clear();
        return requests.close();
    }

    /** Fails only with the database. Requests that change something skip the bus, where an answer may be lost. */
    Future<NodeReply> ask(AskNode question) {
        if (!READS.contains(question.channel())) {
            return write(question);
        }
        long asked = System.nanoTime();
        return bus.ask(within(question, question.patienceMillis() / 2))
                .compose(reply -> reply.map(Future::succeededFuture)
                        .orElseGet(() -> write(within(question, question.patienceMillis() - since(asked)))));
    }

    private static long since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    private static AskNode within(AskNode question, long millis) {
        return new AskNode(question.node(), question.channel(), question.body(), Math.max(1, millis));
    }

    private Future<NodeReply> write(AskNode question) {
        return requests.ask(question.node(), question.channel(), question.body(), question.patienceMillis())
                .compose(id -> {
                    Promise<NodeReply> answer = Promise.promise();
                    waiting.put(id, answer);
                    long late = vertx.setTimer(Math.max(1, question.patienceMillis()), due -> giveUp(id));
                    poll();
                    return answer.future().onComplete(replied -> vertx.cancelTimer(late));
                });
    }

    private void giveUp(long id) {
        Promise<NodeReply> asked = waiting.remove(id);
        if (asked != null) {
            asked.tryComplete(NodeReply.silent());
            requests.withdraw(id).onFailure(cause -> LOG.debug("a request is deleted later: {}", cause.getMessage()));
        }
    }

    private void poll() {
        if (closed) {
            return;
        }
        if (taking) {
            again = true;
        } else {
            take();
        }
        if (!waiting.isEmpty() && !reading) {
            reading = true;
            requests.answers(Set.copyOf(waiting.keySet())).onComplete(found -> {
                reading = false;
                if (found.succeeded()) {
                    found.result().forEach(this::answered);
                }
            });
        }
    }

    private void answered(long id, String answer) {
        Promise<NodeReply> asked = waiting.remove(id);
        if (asked != null) {
            asked.tryComplete(read(answer));
        }
    }

    private static NodeReply read(String answer) {
        try {
            return Json.MAPPER.readValue(answer, NodeReply.class);
        } catch (JsonProcessingException unreadable) {
            return NodeReply.refused(RequestChannel.BROKEN, "its answer cannot be read; it may have another version");
        }
    }

    private void take() {
        taking = true;
        again = false;
        requests.take(node, BATCH).onComplete(found -> {
            taking = false;
            if (found.succeeded()) {
                found.result().forEach(this::answer);
                again |= found.result().size() == BATCH;
            }
            if (again) {
                poll();
            }
        });
    }

    private void answer(NodeRequests.Request question) {
        answer(new AskNode(node, question.channel(), question.body(), question.patienceMillis()), ANSWERED.keySet())
                .compose(reply -> requests.answer(
                        question.id(), Json.MAPPER.valueToTree(reply).toString()))
                .onFailure(
                        cause -> LOG.warn("a request of another node stays without an answer: {}", cause.getMessage()));
    }

    /** Answers a request from the bus. Never fails. Any thread. */
    Future<NodeReply> answer(AskNode question) {
        return answer(question, READS);
    }

    private Future<NodeReply> answer(AskNode question, Set<String> known) {
        return known.contains(question.channel())
                ? ask(ANSWERED.get(question.channel()), question)
                : Future.succeededFuture(NodeReply.refused(
                        RequestChannel.BROKEN, "it does not know this request; it has another version"));
    }

    private <Q, A> Future<NodeReply> ask(RequestChannel<Q, A> channel, AskNode question) {
        Q asked;
        try {
            asked = Json.MAPPER.readValue(question.body(), channel.question());
        } catch (JsonProcessingException unreadable) {
            return Future.succeededFuture(
                    NodeReply.refused(RequestChannel.BROKEN, "it cannot read this request; it has another version"));
        }
        return channel.ask(vertx.eventBus(), asked, Duration.ofMillis(question.patienceMillis()))
                .map(answer ->
                        NodeReply.answered(Json.MAPPER.valueToTree(answer).toString()))
                .otherwise(cause -> NodeReply.refused(
                        cause instanceof CodedFailure coded ? coded.failureCode() : RequestChannel.BROKEN,
                        String.valueOf(cause.getMessage())));
    }
}
