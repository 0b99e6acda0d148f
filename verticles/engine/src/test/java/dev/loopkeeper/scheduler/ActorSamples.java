package dev.loopkeeper.scheduler;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.verdict.SignalReading;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

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

    /** A host with unlimited slots that drops ignored input. */
    interface UnlimitedHost extends RunHost {
        @Override
        default LaunchGates gates() {
            return LaunchGates.OPEN;
        }

        @Override
        default void late(RunState state, String what) {}

        @Override
        default Future<Capacity> capacity(RunActor run, RunInput input) {
            return Future.succeededFuture(Capacity.FREE);
        }

        @Override
        default void undone(RunActor run) {}
    }
}
