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
import dev.loopkeeper.store.postgres.NodeRequests.Request;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks other nodes about their machines, and answers them about this one: a fixed list of channels.
 *
 * @param isLost whether the node of this name has sent no heartbeat for so long that it has ended its processes
 */
record NodeQueries(EventBus bus, RequestSender sender, Function<String, Future<Boolean>> isLost) {
    /** The sender may stop waiting before. */
    private static final Duration PATIENCE = Duration.ofMinutes(6);

    /** Channels that a node serves to other nodes. */
    private static final Map<String, RequestChannel<?, ?>> SERVED = Stream.of(
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

    /** Fails only with the database. */
    Future<NodeReply> ask(AskNode question) {
        return sender.toNode(
                        question.node(),
                        question.channel(),
                        question.body(),
                        Duration.ofMillis(question.patienceMillis()),
                        () -> isLost.apply(question.node()))
                .map(reply -> reply instanceof RequestSender.Reply.Answered answered
                        ? read(answered.answer())
                        : NodeReply.silent());
    }

    private static NodeReply read(String answer) {
        try {
            return Json.MAPPER.readValue(answer, NodeReply.class);
        } catch (JsonProcessingException unreadable) {
            return NodeReply.refused(
                    RequestChannel.BROKEN, "the answer cannot be read; the version of that node may differ");
        }
    }

    /** Returns the JSON of the {@link NodeReply} to another node. Never fails. */
    Future<String> answer(Request question) {
        return reply(question).map(reply -> Json.MAPPER.valueToTree(reply).toString());
    }

    private Future<NodeReply> reply(Request question) {
        RequestChannel<?, ?> channel = SERVED.get(question.action());
        if (channel == null) {
            return refused("that node does not know this request; its version may differ");
        }
        try {
            return ask(bus, channel, question.body(), PATIENCE)
                    .map(answer ->
                            NodeReply.answered(Json.MAPPER.valueToTree(answer).toString()))
                    .otherwise(cause -> NodeReply.refused(
                            cause instanceof CodedFailure coded ? coded.failureCode() : RequestChannel.BROKEN,
                            String.valueOf(cause.getMessage())));
        } catch (JsonProcessingException unreadable) {
            return refused("that node cannot read this request; its version may differ");
        }
    }

    private static Future<NodeReply> refused(String why) {
        return Future.succeededFuture(NodeReply.refused(RequestChannel.BROKEN, why));
    }

    /** Sends a request of another node, as JSON, to a channel of this node. */
    static <Q, A> Future<A> ask(EventBus bus, RequestChannel<Q, A> channel, String body, Duration patience)
            throws JsonProcessingException {
        return channel.ask(bus, Json.MAPPER.readValue(body, channel.question()), patience);
    }
}
