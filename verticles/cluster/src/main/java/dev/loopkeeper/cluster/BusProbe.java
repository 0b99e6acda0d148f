package dev.loopkeeper.cluster;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs nodes that are on the cluster's event bus but cannot be reached, e.g. without mutual trust. Any thread. */
final class BusProbe {
    private static final Logger LOG = LoggerFactory.getLogger(NodeBus.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Vertx bus;
    private final String prefix;
    private final String node;
    /** Nodes whose failed probe is logged. */
    private final Set<String> unreachable = ConcurrentHashMap.newKeySet();

    BusProbe(Vertx bus, String prefix, String node) {
        this.bus = bus;
        this.prefix = prefix;
        this.node = node;
    }

    private String address(String name) {
        return prefix + ".node." + name;
    }

    /** Answers the probes of other nodes. */
    MessageConsumer<?> answer() {
        return bus.eventBus().consumer(address(node), message -> message.reply(node));
    }

    /** Logs once if the node is on the bus but does not answer, and again when it does. */
    void probe(String other) {
        try {
            bus.getOrCreateContext()
                    .runOnContext(now -> bus.eventBus()
                            .request(address(other), node, new DeliveryOptions().setSendTimeout(PATIENCE.toMillis()))
                            .onComplete(reply -> answered(other), cause -> failed(other, cause)));
        } catch (RejectedExecutionException closed) {
            LOG.debug("the cluster's event bus is closed");
        }
    }

    private void answered(String other) {
        if (unreachable.remove(other)) {
            LOG.info("{} is reachable on the cluster's event bus", other);
        }
    }

    private void failed(String other, Throwable cause) {
        ReplyFailure failure =
                cause instanceof ReplyException refused ? refused.failureType() : ReplyFailure.RECIPIENT_FAILURE;
        if (failure != ReplyFailure.NO_HANDLERS && unreachable.add(other)) {
            LOG.warn(
                    "{} is on the cluster's event bus but cannot be reached, so hints to that node go through the database only ({})."
                            + " Either each node needs a certificate that the others' --cluster-tls-trust has signed, or"
                            + " none has one; and the port {} above its membership port must be reachable",
                    other,
                    failure == ReplyFailure.TIMEOUT
                            ? "no answer within " + PATIENCE.toSeconds() + " s"
                            : cause.getMessage(),
                    BusOptions.MESSAGES);
        }
    }
}
