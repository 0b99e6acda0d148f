package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.run.AskNode;
import dev.loopkeeper.contract.run.NodeReply;
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
 * What a node sends over a clustered Vert.x: hints to look into the database, reads of what lies on another node's disk,
 * and its events for consumers. Nodes send each other texts alone and ignore unknown ones. Nothing depends on the bus:
 * after a lost hint the next look finds the change, and a read that fails is repeated by way of the database. Safe to use
 * from any thread.
 */
final class NodeBus {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBus.class);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    /** Hints of one kind that follow each other closely are one. */
    private static final Duration GAP = Duration.ofMillis(5);

    /** Characters; no question and no hint is nearly as long. */
    private static final int LONGEST_QUESTION = 256 * 1024;

    private static final String FROM = "from";

    /** None of what is answered: any answer shows that the other is heard. */
    private static final String GREETING = "loopkeeper.nodes.greeting";

    private static final Duration GREETING_PATIENCE = Duration.ofSeconds(5);

    private static final Map<String, NodeHints.Kind> HINTS =
            Stream.of(NodeHints.Kind.values()).collect(Collectors.toMap(NodeHints.Kind::name, Function.identity()));

    private final Vertx vertx;
    private final String node;
    private final NodeHints hints;
    private final Optional<BusSource> source;
    private final Duration againAfter;
    private final Reminders reminders = new Reminders();
    /** Who did not answer lately, and until when he is not asked, by {@link System#nanoTime}. */
    private final Map<String, Long> silent = new ConcurrentHashMap<>();

    /** Who was greeted and is told of as not to be spoken to. */
    private final Set<String> mute = ConcurrentHashMap.newKeySet();

    private volatile Optional<Joined> joined = Optional.empty();
    private volatile Supplier<Future<Void>> leaving = Future::succeededFuture;
    private volatile boolean closed;

    /** On the bus' own context all but the first two. */
    private record Joined(Vertx bus, String prefix, Set<NodeHints.Kind> sent, Set<NodeHints.Kind> again) {
        String hints() {
            return prefix + ".hints";
        }

        String node(String name) {
            return prefix + ".node." + name;
        }
    }

    /** Answers another node's question; never fails. */
    interface Answers {
        Future<NodeReply> answer(AskNode question);
    }

    NodeBus(Vertx vertx, String node, NodeHints hints, Optional<BusSource> source) {
        this(vertx, node, hints, source, AGAIN_AFTER);
    }

    /** @param againAfter when it is tried again to join */
    NodeBus(Vertx vertx, String node, NodeHints hints, Optional<BusSource> source, Duration againAfter) {
        this.vertx = vertx;
        this.node = node;
        this.hints = hints;
        this.source = source;
        this.againAfter = againAfter;
    }

    /**
     * Joins, and begins anew every few seconds where that fails; nobody has to wait for it.
     *
     * @param identity asks for what is the same for the nodes of one database and for no others
     */
    void open(Supplier<Future<String>> identity, Answers answers) {
        source.ifPresent(from -> open(from, identity, answers));
    }

    private void open(BusSource from, Supplier<Future<String>> identity, Answers answers) {
        identity.get()
                .compose(database -> closed
                        ? Future.failedFuture("the node ends")
                        : from.join().compose(bus -> begin(from, bus, "loopkeeper.cluster." + database, answers)))
                .onFailure(cause -> {
                    if (!closed) {
                        notJoined(cause);
                        long unused = vertx.setTimer(againAfter.toMillis(), due -> open(from, identity, answers));
                    }
                });
    }

    private void notJoined(Throwable cause) {
        if (reminders.isDue("bus", System.nanoTime())) {
            LOG.warn(
                    "the event bus of the cluster is not joined, which is tried again and told each minute; meanwhile"
                            + " nodes hear of each other by the database: {}",
                    cause.getMessage());
        } else {
            LOG.debug("the event bus of the cluster is still not joined", cause);
        }
    }

    private Future<Void> begin(BusSource from, Vertx bus, String prefix, Answers answers) {
        Joined made =
                new Joined(bus, prefix, EnumSet.noneOf(NodeHints.Kind.class), EnumSet.noneOf(NodeHints.Kind.class));
        List<MessageConsumer<?>> consumers = new ArrayList<>();
        consumers.add(bus.eventBus().consumer(made.hints(), this::hinted));
        consumers.add(bus.eventBus().consumer(made.node(node), message -> asked(message, answers)));
        if (!vertx.isClustered()) { // else the engine itself publishes there
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
                    hints.outlet(kind -> on(own, () -> tell(made, kind)));
                    LOG.info("the event bus of the cluster is joined");
                });
    }

    /** Whether it will be done: whose Vert.x this is may have closed it. */
    @CanIgnoreReturnValue
    private static boolean on(Context context, Runnable work) {
        try {
            context.runOnContext(now -> work.run());
            return true;
        } catch (RejectedExecutionException over) {
            LOG.debug("the event bus of the cluster is closed");
            return false;
        }
    }

    private Future<Void> leave(BusSource from, Vertx bus, List<MessageConsumer<?>> consumers) {
        return Future.join(consumers.stream().map(MessageConsumer::unregister).toList())
                .timeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .transform(gone -> from.leave(bus))
                .timeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .otherwise(late -> {
                    LOG.debug("the event bus was not left in order: {}", late.getMessage());
                    return null;
                });
    }

    /** Ends within ten seconds, whatever becomes of the others. Never fails. */
    Future<Void> close() {
        closed = true;
        hints.outlet(nobody -> {});
        joined = Optional.empty();
        var last = leaving;
        leaving = Future::succeededFuture;
        return last.get();
    }

    private void tell(Joined to, NodeHints.Kind kind) {
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
                tell(to, kind);
            }
        });
    }

    private void hinted(Message<Object> message) {
        if (!node.equals(message.headers().get(FROM)) && message.body() instanceof String word) {
            Optional.ofNullable(HINTS.get(word)).ifPresent(hints::heard);
        }
    }

    private void asked(Message<Object> message, Answers answers) {
        question(message.body())
                .map(answers::answer)
                .orElseGet(() -> Future.succeededFuture(NodeReply.refused(
                        RequestChannel.BROKEN, "it cannot read this question; it is of another version")))
                .onComplete(reply ->
                        message.reply(Json.MAPPER.valueToTree(reply.result()).toString()));
    }

    private Optional<AskNode> question(Object body) {
        if (!(body instanceof String text) || text.length() > LONGEST_QUESTION) {
            return Optional.empty();
        }
        try {
            AskNode asked = Json.MAPPER.readValue(text, AskNode.class);
            boolean whole =
                    asked != null && node.equals(asked.node()) && asked.channel() != null && asked.body() != null;
            return whole
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
     * Empty where it is to be asked in another way: the bus is not joined, the node is not on it, or nobody knows whether
     * it heard. At most the question's own patience.
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
        boolean under = on(
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
                        .onComplete(done -> caller.runOnContext(told -> answer.handle(done))));
        return under ? answer.future() : Future.succeededFuture(Optional.empty());
    }

    /**
     * Tells in the log, once, of a node that is on the bus and cannot be spoken to, since one of both does not trust the
     * other or there is no way, and of one that can be again. One that is not on the bus is none of that.
     */
    void greet(String other) {
        joined.ifPresent(to -> on(
                to.bus().getOrCreateContext(),
                () -> to.bus()
                        .eventBus()
                        .<Object>request(
                                to.node(other),
                                Json.MAPPER
                                        .valueToTree(new AskNode(other, GREETING, "{}", GREETING_PATIENCE.toMillis()))
                                        .toString(),
                                new DeliveryOptions().setSendTimeout(GREETING_PATIENCE.toMillis()))
                        .onComplete(heard -> greeted(other), cause -> notGreeted(other, cause))));
    }

    private void greeted(String other) {
        if (mute.remove(other)) {
            LOG.info("{} answers on the event bus of the cluster", other);
        }
    }

    private void notGreeted(String other, Throwable cause) {
        boolean absent = cause instanceof ReplyException refused && refused.failureType() == ReplyFailure.NO_HANDLERS;
        if (!closed && !absent && mute.add(other)) {
            LOG.warn(
                    "{} is on the event bus of the cluster and cannot be spoken to, so it is asked by the database ({})."
                            + " Each node has to show a certificate that --cluster-tls-trust of the others has signed, or"
                            + " none of them any, and the port {} above that of its membership has to be reached",
                    other,
                    reason(cause),
                    BusOptions.MESSAGES);
        }
    }

    private static String reason(Throwable cause) {
        return cause instanceof ReplyException refused && refused.failureType() == ReplyFailure.TIMEOUT
                ? "no answer within " + GREETING_PATIENCE.toSeconds() + " s"
                : String.valueOf(cause.getMessage());
    }

    private void failed(String other, Throwable cause) {
        LOG.debug("{} does not answer on the event bus: {}", other, cause.getMessage());
        if (!(cause instanceof ReplyException refused) || refused.failureType() != ReplyFailure.NO_HANDLERS) {
            silent.put(other, System.nanoTime() + AGAIN_AFTER.toNanos());
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
