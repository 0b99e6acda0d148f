package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.NodeChannels.AskNode;
import dev.loopkeeper.contract.NodeChannels.NodeReply;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.ClusterEvents;
import dev.loopkeeper.store.postgres.NodeHints;
import dev.loopkeeper.work.Reminders;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends hints, read requests and published events between nodes over a clustered Vert.x. Messages are JSON or plain
 * text; unknown ones are ignored. Nothing depends on the bus: after a lost hint the next poll finds the change, and a
 * failed read is repeated through the database. Thread-safe.
 */
final class NodeBus {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBus.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    /** Hints of one kind within this time are merged. */
    private static final Duration GAP = Duration.ofMillis(5);

    /** In characters, far above any valid request. */
    private static final int MAX_REQUEST = 256 * 1024;

    private static final String FROM = "from";

    /** Not a served channel: even a refusal proves that the other node is reachable. */
    private static final String PROBE_CHANNEL = "loopkeeper.nodes.greeting";

    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(5);

    private static final Map<String, NodeHints.Kind> HINTS =
            Stream.of(NodeHints.Kind.values()).collect(Collectors.toMap(NodeHints.Kind::name, Function.identity()));

    private final Vertx vertx;
    private final String node;
    private final NodeHints hints;
    private final Optional<BusSource> source;
    private final Duration retryAfter;
    private final Reminders reminders = new Reminders();
    /** Nodes that failed to answer, and until when ({@link System#nanoTime}) requests to them skip the bus. */
    private final Map<String, Long> silent = new ConcurrentHashMap<>();

    /** Nodes whose failed probe is logged. */
    private final Set<String> unreachable = ConcurrentHashMap.newKeySet();

    private volatile Optional<Joined> joined = Optional.empty();
    private volatile Supplier<Future<Void>> leaving = Future::succeededFuture;
    private volatile boolean closed;

    /** Its sets are used on the context of {@code bus} only. */
    private record Joined(Vertx bus, String prefix, Set<NodeHints.Kind> sent, Set<NodeHints.Kind> again) {
        String hints() {
            return prefix + ".hints";
        }

        String node(String name) {
            return prefix + ".node." + name;
        }
    }

    /** Answers a request of another node; never fails. */
    interface Answers {
        Future<NodeReply> answer(AskNode question);
    }

    NodeBus(Vertx vertx, String node, NodeHints hints, Optional<BusSource> source) {
        this(vertx, node, hints, source, RETRY_AFTER);
    }

    /** @param retryAfter time until another attempt to join */
    NodeBus(Vertx vertx, String node, NodeHints hints, Optional<BusSource> source, Duration retryAfter) {
        this.vertx = vertx;
        this.node = node;
        this.hints = hints;
        this.source = source;
        this.retryAfter = retryAfter;
    }

    /**
     * Joins, and retries every few seconds after a failure. Callers need not wait.
     *
     * @param identity returns the database's unique id, which keeps nodes of other databases apart
     */
    void open(Supplier<Future<String>> identity, Answers answers) {
        source.ifPresent(from -> open(from, identity, answers));
    }

    private void open(BusSource from, Supplier<Future<String>> identity, Answers answers) {
        identity.get()
                .compose(database -> closed
                        ? Future.failedFuture("the node is stopping")
                        : from.join().compose(bus -> begin(from, bus, "loopkeeper.cluster." + database, answers)))
                .onFailure(cause -> {
                    if (!closed) {
                        notJoined(cause);
                        long unused = vertx.setTimer(retryAfter.toMillis(), due -> open(from, identity, answers));
                    }
                });
    }

    private void notJoined(Throwable cause) {
        if (reminders.isDue("bus", System.nanoTime())) {
            LOG.warn(
                    "the cluster's event bus is not joined; the node retries and logs this once a minute, and until then"
                            + " nodes communicate through the database only: {}",
                    cause.getMessage());
        } else {
            LOG.debug("the cluster's event bus is still not joined", cause);
        }
    }

    private Future<Void> begin(BusSource from, Vertx bus, String prefix, Answers answers) {
        Joined made =
                new Joined(bus, prefix, EnumSet.noneOf(NodeHints.Kind.class), EnumSet.noneOf(NodeHints.Kind.class));
        List<MessageConsumer<?>> consumers = new ArrayList<>();
        consumers.add(bus.eventBus().consumer(made.hints(), this::hinted));
        consumers.add(bus.eventBus().consumer(made.node(node), message -> asked(message, answers)));
        if (!vertx.isClustered()) { // otherwise the engine publishes them
            consumers.add(ClusterEvents.publish(vertx, bus, node));
        }
        return Future.all(consumers.stream().map(MessageConsumer::completion).toList())
                .<Void>mapEmpty()
                .onFailure(cause -> {
                    Object unused = leave(from, bus, consumers);
                })
                .onSuccess(there -> {
                    leaving = () -> leave(from, bus, consumers);
                    joined = Optional.of(made);
                    if (closed) {
                        Object unused = close();
                        return;
                    }
                    Context own = bus.getOrCreateContext();
                    hints.sendTo(kind -> on(own, () -> send(made, kind)));
                    LOG.info("joined the cluster's event bus");
                });
    }

    /** Returns false if the owner of this Vert.x has closed it. */
    @CanIgnoreReturnValue
    private static boolean on(Context context, Runnable work) {
        try {
            context.runOnContext(now -> work.run());
            return true;
        } catch (RejectedExecutionException closing) {
            LOG.debug("the cluster's event bus is closed");
            return false;
        }
    }

    private Future<Void> leave(BusSource from, Vertx bus, List<MessageConsumer<?>> consumers) {
        return Future.join(consumers.stream().map(MessageConsumer::unregister).toList())
                .timeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .transform(gone -> from.leave(bus))
                .timeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(cause -> {
                    LOG.debug("leaving the event bus failed: {}", cause.getMessage());
                    return null;
                });
    }

    /** Completes within ten seconds and never fails. */
    Future<Void> close() {
        closed = true;
        hints.sendTo(kind -> {});
        joined = Optional.empty();
        var last = leaving;
        leaving = Future::succeededFuture;
        return last.get();
    }

    private void send(Joined to, NodeHints.Kind kind) {
        if (closed) {
            return;
        }
        if (!to.sent().add(kind)) {
            to.again().add(kind);
            return;
        }
        to.bus().eventBus().publish(to.hints(), kind.name(), new DeliveryOptions().addHeader(FROM, node));
        long unused = to.bus().setTimer(GAP.toMillis(), due -> {
            to.sent().remove(kind);
            if (to.again().remove(kind)) {
                send(to, kind);
            }
        });
    }

    private void hinted(Message<Object> message) {
        if (!node.equals(message.headers().get(FROM)) && message.body() instanceof String name) {
            Optional.ofNullable(HINTS.get(name)).ifPresent(hints::receive);
        }
    }

    private void asked(Message<Object> message, Answers answers) {
        question(message.body())
                .map(answers::answer)
                .orElseGet(() -> Future.succeededFuture(NodeReply.refused(
                        RequestChannel.BROKEN, "it cannot read this request; it has another version")))
                .onComplete(reply ->
                        message.reply(Json.MAPPER.valueToTree(reply.result()).toString()));
    }

    private Optional<AskNode> question(Object body) {
        if (!(body instanceof String text) || text.length() > MAX_REQUEST) {
            return Optional.empty();
        }
        try {
            AskNode asked = Json.MAPPER.readValue(text, AskNode.class);
            boolean complete =
                    asked != null && node.equals(asked.node()) && asked.channel() != null && asked.body() != null;
            return complete
                    ? Optional.of(new AskNode(
                            node,
                            asked.channel(),
                            asked.body(),
                            Math.max(1, Math.min(asked.patienceMillis(), LONGEST.toMillis()))))
                    : Optional.empty();
        } catch (JsonProcessingException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * Sends a request over the bus. Empty if it must go another way: the bus is not joined, the node is not on it, or
     * no reply came within the request's time limit.
     */
    Future<Optional<NodeReply>> ask(AskNode question) {
        Optional<Joined> there = joined;
        Long until = silent.get(question.node());
        if (there.isEmpty() || (until != null && System.nanoTime() - until < 0)) {
            return Future.succeededFuture(Optional.empty());
        }
        Context caller = vertx.getOrCreateContext();
        Promise<Optional<NodeReply>> answer = Promise.promise();
        DeliveryOptions options = new DeliveryOptions().setSendTimeout(Math.max(1, question.patienceMillis()));
        Joined to = there.get();
        boolean sent = on(
                to.bus().getOrCreateContext(),
                () -> to.bus()
                        .eventBus()
                        .<Object>request(
                                to.node(question.node()),
                                Json.MAPPER.valueToTree(question).toString(),
                                options)
                        .map(reply -> read(reply.body()))
                        .recover(cause -> {
                            failed(question.node(), cause);
                            return Future.succeededFuture(Optional.empty());
                        })
                        .onComplete(done -> caller.runOnContext(now -> answer.handle(done))));
        return sent ? answer.future() : Future.succeededFuture(Optional.empty());
    }

    /**
     * Logs once if a node is on the bus but cannot be reached, e.g. without mutual trust, and logs when it is reachable
     * again. A node that is not on the bus is not logged.
     */
    void probe(String other) {
        joined.ifPresent(to -> on(
                to.bus().getOrCreateContext(),
                () -> to.bus()
                        .eventBus()
                        .<Object>request(
                                to.node(other),
                                Json.MAPPER
                                        .valueToTree(new AskNode(other, PROBE_CHANNEL, "{}", PROBE_PATIENCE.toMillis()))
                                        .toString(),
                                new DeliveryOptions().setSendTimeout(PROBE_PATIENCE.toMillis()))
                        .onComplete(reply -> probeAnswered(other), cause -> probeFailed(other, cause))));
    }

    private void probeAnswered(String other) {
        if (unreachable.remove(other)) {
            LOG.info("{} is reachable on the cluster's event bus", other);
        }
    }

    private void probeFailed(String other, Throwable cause) {
        boolean absent = cause instanceof ReplyException refused && refused.failureType() == ReplyFailure.NO_HANDLERS;
        if (!closed && !absent && unreachable.add(other)) {
            LOG.warn(
                    "{} is on the cluster's event bus but cannot be reached, so requests go through the database ({})."
                            + " Either each node needs a certificate that the others' --cluster-tls-trust has signed, or"
                            + " none has one; and the port {} above its membership port must be reachable",
                    other,
                    reason(cause),
                    BusOptions.MESSAGES);
        }
    }

    private static String reason(Throwable cause) {
        return cause instanceof ReplyException refused && refused.failureType() == ReplyFailure.TIMEOUT
                ? "no answer within " + PROBE_PATIENCE.toSeconds() + " s"
                : String.valueOf(cause.getMessage());
    }

    private void failed(String other, Throwable cause) {
        LOG.debug("{} does not answer on the event bus: {}", other, cause.getMessage());
        if (!(cause instanceof ReplyException refused) || refused.failureType() != ReplyFailure.NO_HANDLERS) {
            silent.put(other, System.nanoTime() + RETRY_AFTER.toNanos());
        }
    }

    private static Optional<NodeReply> read(Object body) {
        try {
            return body instanceof String text
                    ? Optional.ofNullable(Json.MAPPER.readValue(text, NodeReply.class))
                            .filter(reply -> reply.outcome() != null && reply.body() != null)
                    : Optional.empty();
        } catch (JsonProcessingException unreadable) {
            return Optional.empty();
        }
    }
}
