package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.process.KillRole;
import dev.loopkeeper.contract.run.EndRun;
import dev.loopkeeper.contract.run.GetRun;
import dev.loopkeeper.contract.run.PauseRun;
import dev.loopkeeper.contract.run.RecordNotice;
import dev.loopkeeper.contract.run.ResumeRun;
import dev.loopkeeper.contract.run.RunAnswer;
import dev.loopkeeper.contract.run.RunChannels;
import dev.loopkeeper.contract.run.StopRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.Refusal;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.postgres.CommandInbox;
import dev.loopkeeper.store.postgres.CommandInbox.Command;
import dev.loopkeeper.store.postgres.CommandInbox.Taken;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the commands to the runs of this node, those of one run one after the other, each once: where a former owner
 * may have carried one out before it lost the run, the run's events tell. On one context.
 */
final class CommandCarrier {
    private static final Logger LOG = LoggerFactory.getLogger(CommandCarrier.class);
    private static final int MOST = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Of what ends processes, and so takes as long as their grace. */
    private static final Duration LONG = Duration.ofMinutes(6);

    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);

    /** Leaves no trace of its own among the events, and is held up by nothing and holds nothing up. */
    static final String KILL = "kill";

    /** What is recorded where a command was carried out. A stop may be repeated, an end until the run has ended. */
    private static final Map<String, Set<String>> TRACES = Map.of(
            "end", Set.of("run.ended"),
            "pause", Set.of("run.pausing", "run.paused"),
            "resume", Set.of("run.resumed", "run.queued", "run.started"),
            "remark", Set.of("notice"));

    private final Vertx vertx;
    private final Context context;
    private final RunRouter.Seat seat;
    private final CommandInbox inbox;
    private final Supplier<? extends EventStore> store;
    /** Runs of which one is carried out. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    /** The runs of those that end an agent now, by their numbers. */
    private final Map<Long, String> killing = new ConcurrentHashMap<>();

    private boolean looking;
    private boolean again;
    private boolean closed;
    private final Promise<Void> idle = Promise.promise();

    CommandCarrier(Vertx vertx, RunRouter.Seat seat, CommandInbox inbox, Supplier<? extends EventStore> store) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.seat = seat;
        this.inbox = inbox;
        this.store = store;
    }

    /** Whether what is asked of this run comes from here, and so is to be carried out here or not at all. */
    boolean carries(String runId) {
        return busy.contains(runId) || killing.containsValue(runId);
    }

    /** Begins none any more; completes once nothing is under way. */
    Future<Void> close() {
        context.runOnContext(now -> {
            closed = true;
            tellIdle();
        });
        return idle.future();
    }

    private void tellIdle() {
        if (closed && busy.isEmpty() && killing.isEmpty()) {
            idle.tryComplete();
        }
    }

    /** Carries out what waits. */
    void look() {
        context.runOnContext(now -> {
            again = true;
            if (!looking && !closed) {
                looking = true;
                again = false;
                inbox.open(seat.node(), MOST)
                        .onComplete(found -> context.runOnContext(seen -> {
                            looking = false;
                            found.otherwise(List.of()).result().forEach(this::begin);
                            if (again) {
                                look();
                            }
                        }));
            }
        });
    }

    private void begin(Command command) {
        if (!closed && enter(command)) {
            Future.succeededFuture()
                    .compose(begun -> carryOut(command))
                    .onFailure(cause -> LOG.warn(
                            "run {}: a {} of another node waits: {}",
                            command.runId(),
                            command.verb(),
                            cause.getMessage()))
                    .onComplete(over -> context.runOnContext(now -> {
                        leave(command);
                        tellIdle();
                        // One of the same run may wait; one that was not taken is looked at again in a while.
                        if (over.succeeded() && over.result()) {
                            look();
                        }
                    }));
        }
    }

    private boolean enter(Command command) {
        return command.verb().equals(KILL)
                ? killing.putIfAbsent(command.id(), command.runId()) == null
                : busy.add(command.runId());
    }

    private void leave(Command command) {
        if (command.verb().equals(KILL)) {
            killing.remove(command.id());
        } else {
            busy.remove(command.runId());
        }
    }

    /** Whether it is answered. */
    private Future<Boolean> carryOut(Command command) {
        return ours(command.runId())
                .compose(
                        ours -> ours ? inbox.take(command.id(), seat.node()) : Future.succeededFuture(Optional.empty()))
                .compose(taken -> taken.map(mine -> outcome(command, mine)
                                .compose(answer -> answer(command.id(), mine.epoch(), RunRouter.write(answer)))
                                .map(true))
                        .orElseGet(() -> Future.succeededFuture(false)));
    }

    private Future<Boolean> ours(String runId) {
        return seat.isOwn(runId) ? Future.succeededFuture(true) : seat.takeNow(runId);
    }

    private Future<RunAnswer> outcome(Command command, Taken taken) {
        if (command.verb().equals(KILL) && taken.again().isPresent()) {
            // What lives under this role by now may be another agent.
            return Future.succeededFuture(RunAnswer.refused(new Refusal(
                    "node-unreachable",
                    "the node that carried out run " + command.runId() + " was lost or started again while it ended the"
                            + " agent, and it is not done twice; look at the run before you ask again")));
        }
        return traced(command, taken.again())
                .compose(done -> done
                        ? RunChannels.GET.ask(vertx.eventBus(), new GetRun(command.runId()), PATIENCE)
                        : ask(command))
                .recover(cause -> {
                    LOG.error("run {}: {} of another node failed", command.runId(), command.verb(), cause);
                    return Future.succeededFuture(RunAnswer.refused(new Refusal(
                            "node-unreachable",
                            RunRouter.carrier(seat.node(), command.runId()) + " could not carry the command out: "
                                    + cause.getMessage())));
                });
    }

    private Future<Boolean> traced(Command command, OptionalLong again) {
        Set<String> traces = TRACES.getOrDefault(command.verb(), Set.of());
        return again.isEmpty() || traces.isEmpty()
                ? Future.succeededFuture(false)
                : store.get()
                        .events(EventQuery.oldest(command.runId(), traces, again.getAsLong(), 1))
                        .map(found -> !found.isEmpty());
    }

    private Future<RunAnswer> ask(Command command) {
        return switch (command.verb()) {
            case "stop" -> ask(RunChannels.STOP, StopRun.class, command);
            case "end" -> ask(RunChannels.END, EndRun.class, command);
            case "pause" -> ask(RunChannels.PAUSE, PauseRun.class, command);
            case "resume" -> ask(RunChannels.RESUME, ResumeRun.class, command);
            case "remark" -> ask(RunChannels.REMARK, RecordNotice.class, command);
            case KILL -> ask(RunChannels.KILL, KillRole.class, command);
            default -> unknown(command);
        };
    }

    private Future<RunAnswer> unknown(Command command) {
        return Future.succeededFuture(RunAnswer.refused(new Refusal(
                "node-unreachable",
                RunRouter.carrier(seat.node(), command.runId()) + " does not know the command " + command.verb()
                        + "; it is of an older version")));
    }

    private <Q> Future<RunAnswer> ask(RequestChannel<Q, RunAnswer> channel, Class<Q> kind, Command command) {
        Duration patience = command.verb().equals(KILL) ? LONG : PATIENCE;
        try {
            return channel.ask(vertx.eventBus(), Json.MAPPER.readValue(command.body(), kind), patience);
        } catch (JsonProcessingException unreadable) {
            return unknown(command);
        }
    }

    /** It is carried out, so its answer is written whatever becomes of the database; unless the node is no owner any more. */
    private Future<Void> answer(long id, long epoch, String answer) {
        return inbox.answer(id, epoch, answer).recover(cause -> {
            if (!seat.isLive()) {
                return Future.failedFuture(cause);
            }
            Promise<Void> later = Promise.promise();
            vertx.setTimer(
                    AGAIN_AFTER.toMillis(), due -> answer(id, epoch, answer).onComplete(later));
            return later.future();
        });
    }
}
