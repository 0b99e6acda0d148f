package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.data.CheckpointFile;
import dev.loopkeeper.data.CheckpointProjection;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.store.EventStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.work.Workers;
import dev.loopkeeper.workspace.Workspaces;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** The state and the inputs of a run's actor, all of it at one moment. */
final class ActorSamples {
    static final Instant NOW = Instant.parse("2026-11-20T15:12:33Z");

    /** A phase that is one task. */
    static final String TASK = "{\"name\": \"only\", \"task\": \"a\"}";

    private ActorSamples() {}

    /** A run called {@code one} with the agent {@code a}, which succeeds. */
    static Decision created(String runId, String phase) {
        return created(runId, Optional.empty(), """
                {"name": "one", "agents": {"a": {"command": "true"}}, "phases": [%s]}
                """.formatted(phase));
    }

    /** @param manifest as JSON */
    static Decision created(String runId, Optional<GitOrigin> git, String manifest) {
        try {
            var document = Json.MAPPER.readTree(manifest);
            Manifest read = ((ManifestReading.Valid) ManifestReader.read(document)).manifest();
            RunCreated created = new RunCreated(
                    runId,
                    "one",
                    "nonce",
                    "/",
                    "/",
                    true,
                    document,
                    read,
                    git,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
            return RunMachine.create(created, NOW);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** How a step ended that left neither a signal nor a process. */
    static StepOutcome outcome(ExitCause cause, int exitCode, String text, Optional<StepOutcome.Git> git) {
        return new StepOutcome(
                new StepOutcome.Exit(cause, OptionalLong.empty(), OptionalInt.of(exitCode), NOW, NOW, Optional.empty()),
                new SignalReading.NotDeclared(),
                StepReport.plain(text, Optional.empty()),
                false,
                new StepOutcome.Digests("", ""),
                new StepOutcome.Sweep(List.of(), List.of()),
                git);
    }

    /** A scheduler with unlimited slots and no policy, alone on its store. */
    static Scheduler scheduler(Vertx vertx, Path data, EventStore store) {
        return scheduler(vertx, data, store, Ownership.sole(), step -> AgentOutput.reader(step, () -> Policy.NONE));
    }

    /** @param readers create the output reader of a step */
    static Scheduler scheduler(
            Vertx vertx,
            Path data,
            EventStore store,
            Ownership ownership,
            Function<StepSpec, AgentOutputReader> readers) {
        CheckpointProjection projection =
                new CheckpointProjection(vertx, new CheckpointFile(vertx, data), CheckpointProjection.INTERVAL);
        return new Scheduler(
                vertx,
                new SchedulerOptions(data, 0),
                store,
                ownership,
                SharedSignalFiles.none(),
                () -> Policy.NONE,
                readers,
                new RunJournal(store, store::append, ownership, projection, Workers.of(vertx, "snapshots", 1)),
                new StepOutcomes(
                        vertx,
                        Workers.of(vertx, "outcomes", 2),
                        new Workspaces(vertx, Workers.of(vertx, "workspaces", 1), data)));
    }
}
