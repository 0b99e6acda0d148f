package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.ClientEnvironment;
import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.RunChannels.StartRun;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.handler.RegisteredHandlers;
import dev.loopkeeper.manifest.Isolation;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.ManifestReader;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.RunMachine;
import dev.loopkeeper.rules.WorktreeNames;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.RunCreated;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.run.git.GitOrigin;
import dev.loopkeeper.store.KeyTakenException;
import dev.loopkeeper.store.StaleAppendException;
import dev.loopkeeper.store.StoreException;
import dev.loopkeeper.store.StoreUnavailableException;
import dev.loopkeeper.submit.HandlerCheck;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Creates runs. */
final class RunStart {
    /** Runs that start in the same second may get the same id. */
    private static final int ID_TRIES = 5;

    private final Scheduler scheduler;
    private final RunCapacity capacity;
    private final RepeatedStart repeated;
    private final WorkerExecutor workers;
    private final ClientEnvironments environments;
    private final RunIds ids = new RunIds();

    /** @param workers parse manifests */
    RunStart(Scheduler scheduler, WorkerExecutor workers) {
        this.scheduler = scheduler;
        this.capacity = scheduler.capacity;
        this.workers = workers;
        this.environments = ClientEnvironments.in(scheduler.vertx);
        this.repeated = new RepeatedStart(scheduler.vertx, scheduler.store, scheduler.actors);
    }

    /** Creates a run; answers once it is durable, and started where a slot is free. */
    Future<RunAnswer> start(StartRun command) {
        if (capacity.isClosed()) {
            return Future.succeededFuture(Refusals.draining());
        }
        if (command.runId().filter(id -> !RunId.isValid(id)).isPresent()) {
            return Future.succeededFuture(Refusals.badId(command.runId().get()));
        }
        return workers.executeBlocking(() -> ManifestReader.read(command.document()), false)
                .compose(reading -> start(command, reading));
    }

    private Future<RunAnswer> start(StartRun command, ManifestReading reading) {
        if (reading instanceof ManifestReading.Invalid invalid) {
            return Future.succeededFuture(Refusals.invalid(invalid.problems()));
        }
        Manifest manifest = ((ManifestReading.Valid) reading).manifest();
        List<ManifestProblem> unknown = HandlerCheck.problems(
                manifest, RegisteredHandlers.in(scheduler.vertx).byName().keySet());
        if (!unknown.isEmpty()) {
            return Future.succeededFuture(Refusals.invalid(unknown));
        }
        return repeated.answer(command)
                .compose(known -> known.isPresent() ? Future.succeededFuture(known.get()) : checked(command, manifest));
    }

    /** Checks the repository of a run with worktrees, and fixes its base commit. */
    private Future<RunAnswer> checked(StartRun command, Manifest manifest) {
        if (manifest.isolation().isEmpty()) {
            return create(command, manifest, Optional.empty(), ID_TRIES);
        }
        return scheduler
                .git
                .origin(question(command, manifest))
                .transform(origin -> origin.succeeded()
                        ? create(command, manifest, Optional.of(origin.result()), ID_TRIES)
                        : Future.succeededFuture(Refusals.invalid(List.of(withoutWorktree(origin.cause())))));
    }

    /** Builds the check. A generated id makes unique branch names, but other branches may still block them. */
    private static CheckWorkspace question(StartRun command, Manifest manifest) {
        Isolation isolation = manifest.isolation().orElseThrow();
        List<String> branches = WorktreeNames.branches(manifest, command.runId().orElse("a-run"));
        return new CheckWorkspace(
                Path.of(command.workspace()),
                isolation.base(),
                Optional.of(new CheckWorkspace.NewRun(branches, isolation.copy())));
    }

    private static ManifestProblem withoutWorktree(Throwable cause) {
        return cause instanceof WorktreeException failure
                ? ManifestProblem.at(failure.manifestPath(), failure.getMessage())
                : ManifestProblem.at("isolation.git", "this runtime does not support worktrees: " + cause.getMessage());
    }

    private Future<RunAnswer> create(StartRun command, Manifest manifest, Optional<GitOrigin> git, int tries) {
        Instant at = Instants.now();
        Optional<Instant> later = command.startAt().filter(at::isBefore);
        RunCreated created = new RunCreated(
                command.runId().orElseGet(() -> ids.next(manifest.name(), at)),
                manifest.name(),
                ids.nonce(),
                command.workspace(),
                command.baseDir(),
                command.start() && later.isEmpty(),
                command.document(),
                manifest,
                git,
                command.file(),
                command.trace(),
                Optional.ofNullable(command.by()),
                command.schedule());
        if (later.isPresent()) {
            return record(command, manifest, created, RunMachine.create(created, at, later.get()), at, tries);
        }
        if (!command.start()) {
            return record(command, manifest, created, RunMachine.create(created, at), at, tries);
        }
        return capacity.reserve(RunMachine.create(created, at).state())
                .compose(inUse -> inUse.isPresent()
                        ? repeated.answer(command, inUse.get())
                        : workers.executeBlocking(
                                        () -> RunMachine.create(created, at, Capacity.FREE, scheduler.permits), false)
                                .compose(started ->
                                        record(command, manifest, created, begun(created, started, at), at, tries))
                                .onComplete(over -> capacity.settle(created.runId())))
                .recover(cause -> cause instanceof StoreException unavailable
                        ? Future.succeededFuture(Refusals.storeUnavailable(unavailable))
                        : Future.failedFuture(cause));
    }

    /**
     * Returns the decision to store: the creation including the start where a slot is free, else the creation only.
     */
    private Decision begun(RunCreated created, Decision started, Instant at) {
        return capacity.begin(started.state()) ? started : RunMachine.create(created, at);
    }

    private Future<RunAnswer> record(
            StartRun command, Manifest manifest, RunCreated created, Decision decision, Instant at, int tries) {
        return scheduler
                .journal
                .append(0, decision, at, command.idempotencyKey())
                .transform(durable -> {
                    boolean taken = durable.cause() instanceof StaleAppendException;
                    if (taken && command.runId().isEmpty() && tries > 1) {
                        capacity.settle(decision.state().runId());
                        return create(command, manifest, created.git(), tries - 1);
                    }
                    return durable.succeeded() ? begin(command, decision) : Future.failedFuture(durable.cause());
                })
                .recover(cause -> refused(command, decision.state().runId(), cause));
    }

    private Future<RunAnswer> begin(StartRun command, Decision decision) {
        command.environment()
                .ifPresent(given -> environments.keep(decision.state().runId(), given));
        RunActor run = scheduler.actors.begin(decision);
        if (command.environment().isPresent()) {
            run.deliver(RunInput.Remark.once(
                    Instants.now(),
                    ClientEnvironment.GIVEN,
                    "agents have the environment and umask of the command that submitted this run"));
        }
        boolean start = decision.state().condition() instanceof Condition.Queued queued && queued.start();
        Future<?> begun = start ? RunCapacity.start(run) : Future.succeededFuture();
        return begun.map(durable -> RunAnswer.created(scheduler.actors.view(run.state())));
    }

    private Future<RunAnswer> refused(StartRun command, String runId, Throwable cause) {
        if (cause instanceof KeyTakenException) {
            return repeated.answer(command).map(known -> known.orElseGet(() -> Refusals.exists(runId)));
        }
        if (cause instanceof StaleAppendException) {
            return Future.succeededFuture(Refusals.exists(runId));
        }
        if (cause instanceof StoreUnavailableException) {
            scheduler.intake.recoverIfCreated(runId);
        }
        return cause instanceof StoreException broken
                ? Future.succeededFuture(Refusals.storeUnavailable(broken))
                : Future.failedFuture(cause);
    }
}
