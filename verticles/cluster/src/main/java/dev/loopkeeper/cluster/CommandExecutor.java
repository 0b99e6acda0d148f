package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.EndRun;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.PauseRun;
import dev.loopkeeper.contract.RunChannels.RecordNotice;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StopRun;
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
 * Executes commands to this node's runs: one at a time for each run, and each command once. If an earlier owner may
 * have executed a command before it lost the run, the run's events show whether it did. Used on one context.
 */
final class CommandExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(CommandExecutor.class);
    private static final int BATCH = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Time limit of commands that end processes, which have their own grace. */
    private static final Duration LONG = Duration.ofMinutes(6);

    private static final Duration RETRY_AFTER = Duration.ofMillis(500);

    /** Leaves no event, and neither waits for other commands nor blocks them. */
    static final String KILL = "kill";

    /**
     * Events that prove that a command was executed. Repeating a stop is harmless, and an end until the run has ended.
     */
    private static final Map<String, Set<String>> TRACES = Map.of(
            "end", Set.of("run.ended"),
            "pause", Set.of("run.pausing", "run.paused"),
            "resume", Set.of("run.resumed", "run.queued", "run.started"),
            "remark", Set.of("notice"));

    private final Vertx vertx;
    private final Context context;
    private final RunRouter.LocalNode localNode;
    private final CommandInbox inbox;
    private final Supplier<? extends EventStore> store;
    /** Runs with a command in execution. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    /** Run ids by number of the kill commands in execution. */
    private final Map<Long, String> killing = new ConcurrentHashMap<>();

    private boolean polling;
    private boolean again;
    private boolean closed;
    private final Promise<Void> idle = Promise.promise();

    CommandExecutor(
            Vertx vertx, RunRouter.LocalNode localNode, CommandInbox inbox, Supplier<? extends EventStore> store) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.localNode = localNode;
        this.inbox = inbox;
        this.store = store;
    }

    /** Returns whether a request about this run comes from this executor, and so must not be routed to another node. */
    boolean isExecuting(String runId) {
        return busy.contains(runId) || killing.containsValue(runId);
    }

    /** Begins no more commands; completes when none is in execution. */
    Future<Void> close() {
        context.runOnContext(now -> {
            closed = true;
            completeIfIdle();
        });
        return idle.future();
    }

    private void completeIfIdle() {
        if (closed && busy.isEmpty() && killing.isEmpty()) {
            idle.tryComplete();
        }
    }

    /** Executes waiting commands. */
    void poll() {
        context.runOnContext(now -> {
            again = true;
            if (!polling && !closed) {
                polling = true;
                again = false;
                inbox.open(localNode.node(), BATCH)
                        .onComplete(found -> context.runOnContext(seen -> {
                            polling = false;
                            found.otherwise(List.of()).result().forEach(this::begin);
                            if (again) {
                                poll();
                            }
                        }));
            }
        });
    }

    private void begin(Command command) {
        if (!closed && enter(command)) {
            Future.succeededFuture()
                    .compose(begun -> execute(command))
                    .onFailure(cause -> LOG.warn(
                            "run {}: the command {} from another node is delayed: {}",
                            command.runId(),
                            command.action(),
                            cause.getMessage()))
                    .onComplete(executed -> context.runOnContext(now -> {
                        leave(command);
                        completeIfIdle();
                        // Another command to the run may wait. A command that was not taken waits for the next poll.
                        if (executed.succeeded() && executed.result()) {
                            poll();
                        }
                    }));
        }
    }

    private boolean enter(Command command) {
        return command.action().equals(KILL)
                ? killing.putIfAbsent(command.id(), command.runId()) == null
                : busy.add(command.runId());
    }

    private void leave(Command command) {
        if (command.action().equals(KILL)) {
            killing.remove(command.id());
        } else {
            busy.remove(command.runId());
        }
    }

    /** Returns whether the command is answered. */
    private Future<Boolean> execute(Command command) {
        return ours(command.runId())
                .compose(ours ->
                        ours ? inbox.take(command.id(), localNode.node()) : Future.succeededFuture(Optional.empty()))
                .compose(taken -> taken.map(mine -> outcome(command, mine)
                                .compose(answer -> answer(command.id(), mine.epoch(), RunRouter.write(answer)))
                                .map(true))
                        .orElseGet(() -> Future.succeededFuture(false)));
    }

    private Future<Boolean> ours(String runId) {
        return localNode.isOwn(runId) ? Future.succeededFuture(true) : localNode.takeNow(runId);
    }

    private Future<RunAnswer> outcome(Command command, Taken taken) {
        if (command.action().equals(KILL) && taken.attemptedAfter().isPresent()) {
            // Another agent may have this role now.
            return Future.succeededFuture(RunAnswer.refused(new Refusal(
                    "node-unreachable",
                    "the node that executed run " + command.runId() + " was lost or restarted while it ended the"
                            + " agent, and a kill is not repeated automatically; check the run before you try again")));
        }
        return traced(command, taken.attemptedAfter())
                .compose(done -> done
                        ? RunChannels.GET.ask(vertx.eventBus(), new GetRun(command.runId()), PATIENCE)
                        : ask(command))
                .recover(cause -> {
                    LOG.error(
                            "run {}: the command {} from another node failed",
                            command.runId(),
                            command.action(),
                            cause);
                    return Future.succeededFuture(RunAnswer.refused(new Refusal(
                            "node-unreachable",
                            RunRouter.ownerOf(localNode.node(), command.runId()) + " could not execute the command: "
                                    + cause.getMessage())));
                });
    }

    private Future<Boolean> traced(Command command, OptionalLong again) {
        Set<String> traces = TRACES.getOrDefault(command.action(), Set.of());
        return again.isEmpty() || traces.isEmpty()
                ? Future.succeededFuture(false)
                : store.get()
                        .events(EventQuery.oldest(command.runId(), traces, again.getAsLong(), 1))
                        .map(found -> !found.isEmpty());
    }

    private Future<RunAnswer> ask(Command command) {
        return switch (command.action()) {
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
                RunRouter.ownerOf(localNode.node(), command.runId()) + " does not know the command " + command.action()
                        + "; it has an older version")));
    }

    private <Q> Future<RunAnswer> ask(RequestChannel<Q, RunAnswer> channel, Class<Q> kind, Command command) {
        Duration patience = command.action().equals(KILL) ? LONG : PATIENCE;
        try {
            return channel.ask(vertx.eventBus(), Json.MAPPER.readValue(command.body(), kind), patience);
        } catch (JsonProcessingException unreadable) {
            return unknown(command);
        }
    }

    /** Retries until the answer is stored, since the command is executed; gives up when the node has no lease. */
    private Future<Void> answer(long id, long epoch, String answer) {
        return inbox.answer(id, epoch, answer).recover(cause -> {
            if (!localNode.isLive()) {
                return Future.failedFuture(cause);
            }
            Promise<Void> later = Promise.promise();
            vertx.setTimer(
                    RETRY_AFTER.toMillis(), due -> answer(id, epoch, answer).onComplete(later));
            return later.future();
        });
    }
}
