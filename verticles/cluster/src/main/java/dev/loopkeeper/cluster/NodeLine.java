package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.CodedFailure;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.process.ProcessChannels;
import dev.loopkeeper.contract.run.AskNode;
import dev.loopkeeper.contract.run.NodeChannels;
import dev.loopkeeper.contract.run.NodeReply;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.worktree.WorktreeChannels;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.postgres.NodeMail;
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
 * Asks other nodes what lies on their machines, and answers that for this one: a fixed list of questions, over the
 * database, so that nothing else has to be reachable. On one context.
 */
final class NodeLine {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLine.class);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int MOST = 50;

    /** What a node answers to another. */
    private static final Map<String, RequestChannel<?, ?>> ANSWERED = Stream.of(
                    ProcessChannels.LIST,
                    ProcessChannels.REAP,
                    RunChannels.OPEN_STEPS,
                    RunChannels.DOING,
                    NodeChannels.READ_LOG,
                    NodeChannels.LIST_FILES,
                    NodeChannels.READ_FILE,
                    WorktreeChannels.CHECK,
                    WorktreeChannels.DIFF,
                    WorktreeChannels.READ_DIFF)
            .collect(Collectors.toMap(RequestChannel::address, Function.identity()));

    /** Of those what may be asked twice. */
    private static final Set<String> READS = Set.of(
            ProcessChannels.LIST.address(),
            RunChannels.OPEN_STEPS.address(),
            RunChannels.DOING.address(),
            NodeChannels.READ_LOG.address(),
            NodeChannels.LIST_FILES.address(),
            NodeChannels.READ_FILE.address(),
            WorktreeChannels.CHECK.address(),
            WorktreeChannels.DIFF.address(),
            WorktreeChannels.READ_DIFF.address());

    private final Vertx vertx;
    private final Context context;
    private final String node;
    private final NodeMail mail;
    private final NodeBus bus;
    /** Questions of this node, by number. On the context. */
    private final Map<Long, Promise<NodeReply>> waiting = new HashMap<>();

    private boolean reading;
    private boolean taking;
    private boolean again;
    private boolean closed;
    private long timer;

    NodeLine(Vertx vertx, String node, NodeMail mail, NodeBus bus) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.node = node;
        this.mail = mail;
        this.bus = bus;
    }

    /** On the context on which it was made. */
    void begin() {
        mail.watch(() -> context.runOnContext(hint -> look()));
        timer = vertx.setPeriodic(LOOK.toMillis(), due -> look());
    }

    /** Answers no more and gives up what it waits for. */
    Future<Void> end() {
        closed = true;
        boolean unused = vertx.cancelTimer(timer);
        List.copyOf(waiting.values()).forEach(asked -> asked.tryComplete(NodeReply.silent()));
        waiting.clear();
        return mail.close();
    }

    /** Never fails but with the database. What changes something is not asked over the bus, since an answer may be lost. */
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
        return mail.ask(question.node(), question.channel(), question.body(), question.patienceMillis())
                .compose(id -> {
                    Promise<NodeReply> answer = Promise.promise();
                    waiting.put(id, answer);
                    long late = vertx.setTimer(Math.max(1, question.patienceMillis()), due -> giveUp(id));
                    look();
                    return answer.future().onComplete(over -> vertx.cancelTimer(late));
                });
    }

    private void giveUp(long id) {
        Promise<NodeReply> asked = waiting.remove(id);
        if (asked != null) {
            asked.tryComplete(NodeReply.silent());
            mail.withdraw(id).onFailure(cause -> LOG.debug("a question stays for a while: {}", cause.getMessage()));
        }
    }

    private void look() {
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
            mail.answers(Set.copyOf(waiting.keySet())).onComplete(found -> {
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
            return NodeReply.refused(RequestChannel.BROKEN, "its answer cannot be read; it may be of another version");
        }
    }

    private void take() {
        taking = true;
        again = false;
        mail.take(node, MOST).onComplete(found -> {
            taking = false;
            if (found.succeeded()) {
                found.result().forEach(this::answer);
                again |= found.result().size() == MOST;
            }
            if (again) {
                look();
            }
        });
    }

    private void answer(NodeMail.Question question) {
        answer(new AskNode(node, question.channel(), question.body(), question.patienceMillis()), ANSWERED.keySet())
                .compose(told ->
                        mail.answer(question.id(), Json.MAPPER.valueToTree(told).toString()))
                .onFailure(cause ->
                        LOG.warn("a question of another node stays without an answer: {}", cause.getMessage()));
    }

    /** To what came over the bus; from any thread. Never fails. */
    Future<NodeReply> answer(AskNode question) {
        return answer(question, READS);
    }

    private Future<NodeReply> answer(AskNode question, Set<String> known) {
        return known.contains(question.channel())
                ? ask(ANSWERED.get(question.channel()), question)
                : Future.succeededFuture(NodeReply.refused(
                        RequestChannel.BROKEN, "it does not know this question; it is of another version"));
    }

    private <Q, A> Future<NodeReply> ask(RequestChannel<Q, A> channel, AskNode question) {
        Q asked;
        try {
            asked = Json.MAPPER.readValue(question.body(), channel.question());
        } catch (JsonProcessingException unreadable) {
            return Future.succeededFuture(
                    NodeReply.refused(RequestChannel.BROKEN, "it cannot read this question; it is of another version"));
        }
        return channel.ask(vertx.eventBus(), asked, Duration.ofMillis(question.patienceMillis()))
                .map(answer ->
                        NodeReply.answered(Json.MAPPER.valueToTree(answer).toString()))
                .otherwise(cause -> NodeReply.refused(
                        cause instanceof CodedFailure coded ? coded.failureCode() : RequestChannel.BROKEN,
                        String.valueOf(cause.getMessage())));
    }
}
