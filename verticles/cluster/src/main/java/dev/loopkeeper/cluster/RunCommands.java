package dev.loopkeeper.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.contract.AskChannels;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.store.EventQuery;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.postgres.NodeRequests.Request;
import dev.loopkeeper.store.postgres.NodeRequests.Taken;
import dev.loopkeeper.termination.RefusalCode;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes commands of other nodes to this node's runs, each once. If an earlier owner may have executed a command
 * before it lost the run, the run's events show whether it did.
 */
record RunCommands(EventBus bus, String node, Supplier<? extends EventStore> store) {
    private static final Logger LOG = LoggerFactory.getLogger(RunCommands.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Time limit of commands that end processes, which have their own grace. */
    private static final Duration LONG = Duration.ofMinutes(6);

    /** Leaves no event. */
    static final String KILL = "kill";

    private static final Map<String, RequestChannel<?, RunAnswer>> CHANNELS = Map.ofEntries(
            Map.entry("stop", RunChannels.STOP),
            Map.entry("end", RunChannels.END),
            Map.entry("pause", RunChannels.PAUSE),
            Map.entry("resume", RunChannels.RESUME),
            Map.entry("remark", RunChannels.REMARK),
            Map.entry(KILL, RunChannels.KILL),
            Map.entry("ask", AskChannels.ASK),
            Map.entry("answer", AskChannels.ANSWER));

    /**
     * Events that prove that a command was executed. Repeating a stop is harmless, and an end until the run has ended.
     */
    private static final Map<String, Set<String>> TRACES = Map.of(
            "end", Set.of("run.ended"),
            "pause", Set.of("run.pausing", "run.paused"),
            "resume", Set.of("run.resumed", "run.queued", "run.started"),
            "remark", Set.of("notice"));

    /** Returns the JSON of the answer. */
    Future<String> execute(Request command, String runId, Taken taken) {
        if (command.action().equals(KILL) && taken.attemptedAfter().isPresent()) {
            // Another agent may have this role now.
            return refused("the node that executed run " + runId + " was lost or restarted while it stopped the"
                            + " agent, and a kill is not repeated automatically; check the run before you retry")
                    .map(RunRouter::write);
        }
        return isDone(command, runId, taken.attemptedAfter())
                .compose(done -> done ? RunChannels.GET.ask(bus, new GetRun(runId), PATIENCE) : execute(command, runId))
                .recover(cause -> {
                    LOG.error("run {}: the command {} from another node failed", runId, command.action(), cause);
                    return refused(
                            RunRouter.ownerOf(node, runId) + " could not execute the command: " + cause.getMessage());
                })
                .map(RunRouter::write);
    }

    private static Future<RunAnswer> refused(String why) {
        return Future.succeededFuture(RunAnswer.refused(new Refusal(RefusalCode.NODE_UNREACHABLE, why)));
    }

    private Future<Boolean> isDone(Request command, String runId, OptionalLong attemptedAfter) {
        Set<String> traces = TRACES.getOrDefault(command.action(), Set.of());
        return attemptedAfter.isEmpty() || traces.isEmpty()
                ? Future.succeededFuture(false)
                : store.get()
                        .events(EventQuery.oldest(runId, traces, attemptedAfter.getAsLong(), 1))
                        .map(found -> !found.isEmpty());
    }

    private Future<RunAnswer> execute(Request command, String runId) {
        Optional<RequestChannel<?, RunAnswer>> channel = Optional.ofNullable(CHANNELS.get(command.action()));
        Duration patience = command.action().equals(KILL) ? LONG : PATIENCE;
        try {
            return channel.isPresent()
                    ? NodeQueries.ask(bus, channel.get(), command.body(), patience)
                    : unknown(command, runId);
        } catch (JsonProcessingException unreadable) {
            return unknown(command, runId);
        }
    }

    private Future<RunAnswer> unknown(Request command, String runId) {
        return refused(RunRouter.ownerOf(node, runId) + " does not know the command " + command.action()
                + "; it has an older version");
    }
}
