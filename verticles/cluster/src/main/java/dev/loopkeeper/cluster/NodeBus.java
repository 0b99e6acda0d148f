package dev.loopkeeper.cluster;

import dev.loopkeeper.store.ClusterEvents;
import dev.loopkeeper.store.postgres.NodeHints;
import dev.loopkeeper.work.LogThrottle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes other nodes over a clustered Vert.x, and publishes this node's events there. Nothing depends on it: after a lost
 * hint, the next poll finds the change. Thread-safe.
 */
final class NodeBus {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBus.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration CLOSING = Duration.ofSeconds(5);
    private static final String FROM = "from";

    private final Vertx vertx;
    private final String node;
    private final NodeHints hints;
    private final BusSource source;
    private final Duration retryAfter;
    private final LogThrottle throttle = new LogThrottle();
    /** Hints that wait to be sent; equal ones are merged. */
    private final Set<NodeHints.Kind> unsent = ConcurrentHashMap.newKeySet();

    private volatile Optional<BusProbe> probe = Optional.empty();
    private volatile Supplier<Future<Void>> leaving = Future::succeededFuture;
    private volatile boolean closed;

    NodeBus(Vertx vertx, String node, NodeHints hints, BusSource source) {
        this(vertx, node, hints, source, RETRY_AFTER);
    }

    /** @param retryAfter time until another attempt to join */
    NodeBus(Vertx vertx, String node, NodeHints hints, BusSource source, Duration retryAfter) {
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
    void open(Supplier<Future<String>> identity) {
        identity.get()
                .compose(database -> closed
                        ? Future.failedFuture("the node is stopping")
                        : source.join().get().compose(bus -> begin(bus, "loopkeeper.cluster." + database)))
                .onFailure(cause -> {
                    if (!closed) {
                        notJoined(cause);
                        long unused = vertx.setTimer(retryAfter.toMillis(), due -> open(identity));
                    }
                });
    }

    private void notJoined(Throwable cause) {
        if (throttle.isDue("bus", System.nanoTime())) {
            LOG.warn(
                    "the cluster's event bus is not joined; the node retries and logs this once a minute, and until then"
                            + " nodes communicate through the database only: {}",
                    cause.getMessage());
        } else {
            LOG.debug("the cluster's event bus is still not joined", cause);
        }
    }

    private Future<Void> begin(Vertx bus, String prefix) {
        String address = prefix + ".hints";
        BusProbe made = new BusProbe(bus, prefix, node);
        List<MessageConsumer<?>> consumers = new ArrayList<>();
        consumers.add(bus.eventBus().consumer(address, this::receive));
        consumers.add(made.answer());
        if (!vertx.isClustered()) { // otherwise the engine publishes them
            consumers.add(ClusterEvents.publish(vertx, bus, node));
        }
        return Future.all(consumers.stream().map(MessageConsumer::completion).toList())
                .<Void>mapEmpty()
                .onFailure(cause -> {
                    Object unused = leave(bus, consumers);
                })
                .onSuccess(there -> {
                    leaving = () -> leave(bus, consumers);
                    if (closed) {
                        Object unused = close();
                        return;
                    }
                    probe = Optional.of(made);
                    Context own = bus.getOrCreateContext();
                    hints.sendTo(kind -> send(own, address, kind));
                    LOG.info("joined the cluster's event bus");
                });
    }

    private void send(Context bus, String address, NodeHints.Kind kind) {
        if (!unsent.add(kind)) {
            return;
        }
        try {
            bus.runOnContext(now -> {
                unsent.remove(kind);
                bus.owner().eventBus().publish(address, kind.name(), new DeliveryOptions().addHeader(FROM, node));
            });
        } catch (RejectedExecutionException closing) {
            LOG.debug("the cluster's event bus is closed");
        }
    }

    private void receive(Message<Object> message) {
        if (!node.equals(message.headers().get(FROM))) {
            NodeHints.Kind.of(message.body()).ifPresent(hints::receive);
        }
    }

    /** See {@link BusProbe#probe}. */
    void probe(String other) {
        probe.ifPresent(joined -> joined.probe(other));
    }

    private Future<Void> leave(Vertx bus, List<MessageConsumer<?>> consumers) {
        return Future.join(consumers.stream().map(MessageConsumer::unregister).toList())
                .timeout(CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .transform(gone -> source.leave().apply(bus))
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
        probe = Optional.empty();
        var last = leaving;
        leaving = Future::succeededFuture;
        return last.get();
    }
}
