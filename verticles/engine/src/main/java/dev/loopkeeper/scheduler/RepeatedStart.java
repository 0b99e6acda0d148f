package dev.loopkeeper.scheduler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.PositionedEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Answers a start whose idempotency key was used before: with the run it created, or with a refusal if the request
 * differs.
 */
record RepeatedStart(Vertx vertx, EventStore store, RunActors actors) {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final int LOOKS = 60;

    /** Returns empty when the command has no key, or a new one. */
    Future<Optional<RunAnswer>> answer(StartRun command) {
        if (command.idempotencyKey().isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        return store.runOfKey(command.idempotencyKey().get())
                .compose(owner -> owner.map(runId -> compared(command, runId))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    /**
     * Returns the answer to a command whose signal file another run uses. That run may be one of this same request, sent
     * twice: where the command has a key and that run is not stored, looks again until the key has a run. The run that
     * uses the file may never be stored, since another one got the key.
     */
    Future<RunAnswer> answer(StartRun command, SignalInUse inUse) {
        return answer(command, inUse, command.idempotencyKey().isEmpty() ? 0 : LOOKS);
    }

    private Future<RunAnswer> answer(StartRun command, SignalInUse inUse, int looks) {
        return store.find(inUse.runId())
                .compose(holder -> answer(command).compose(known -> {
                    if (known.isPresent() || holder.isPresent() || looks == 0) {
                        return Future.succeededFuture(known.orElseGet(() -> Refusals.of(Refusal.of(inUse))));
                    }
                    return vertx.timer(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)
                            .compose(due -> answer(command, inUse, looks - 1));
                }));
    }

    private Future<Optional<RunAnswer>> compared(StartRun command, String runId) {
        return store.events(runId, 0, 1)
                .compose(first -> isSameRequest(command, first)
                        ? actors.known(runId).map(run -> run.map(known -> RunAnswer.of(actors.view(known))))
                        : Future.succeededFuture(Optional.of(Refusals.keyReused(runId))));
    }

    private static boolean isSameRequest(StartRun command, List<PositionedEvent> first) {
        return first.stream()
                .map(event -> EventJson.read(event.event().type(), event.event().data()))
                .filter(RunCreated.class::isInstance)
                .map(RunCreated.class::cast)
                .allMatch(created -> created.manifest().equals(reparsed(command.document()))
                        && created.workspace().equals(command.workspace())
                        && created.baseDir().equals(command.baseDir())
                        && created.start() == command.start()
                        && command.runId()
                                .filter(id -> !id.equals(created.runId()))
                                .isEmpty());
    }

    /** Writes and reads the manifest, since number types differ between a built and a parsed tree. */
    private static JsonNode reparsed(JsonNode document) {
        try {
            return Json.MAPPER.readTree(document.toString());
        } catch (JsonProcessingException neverOfATree) {
            throw new CheckpointException("the recorded manifest cannot be read: " + neverOfATree.getOriginalMessage());
        }
    }
}
