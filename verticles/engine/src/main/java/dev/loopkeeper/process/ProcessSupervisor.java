package dev.loopkeeper.process;

import dev.loopkeeper.contract.ClientEnvironments;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.KillReceipt.Outcome;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.OpenServer;
import dev.loopkeeper.contract.ProcessChannels.ConfineCommand;
import dev.loopkeeper.contract.ProcessChannels.ConfinedCommand;
import dev.loopkeeper.contract.ProcessChannels.KillRole;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.contract.ProcessChannels.ListProcesses;
import dev.loopkeeper.contract.ProcessChannels.ProcessList;
import dev.loopkeeper.contract.ProcessChannels.ReapOrphans;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.contract.ProcessChannels.StopAll;
import dev.loopkeeper.contract.ProcessChannels.StopStep;
import dev.loopkeeper.contract.ProcessChannels.StoppedAll;
import dev.loopkeeper.contract.ProcessChannels.SweepStep;
import dev.loopkeeper.contract.Reaped;
import dev.loopkeeper.contract.SecretFiles;
import dev.loopkeeper.contract.UnknownRoleException;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.process.tree.ProcessSnapshot;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.work.BoundedMap;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Supervises the steps of one data folder. Used from one context only. */
public final class ProcessSupervisor {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessSupervisor.class);
    /** Number of ended steps that are remembered, so that a repeated launch is not reported twice. */
    private static final int REMEMBERED = 10_000;

    private static final int MOST_GITS = 100;

    private final SupervisorContext around;
    private final Launcher launcher;
    private final Survivors survivors;
    private final UnaryOperator<String> normalise;
    private final Consumer<StepExited> report;
    private final Map<String, SupervisedStep> steps = new LinkedHashMap<>();
    /** Handlers that did not end when their step was stopped. */
    private final Map<String, HandlerLife> lingering = new HashMap<>();

    /** The steps that have ended; whether nothing of each is left. */
    private final Map<String, Boolean> ended = BoundedMap.byAge(REMEMBERED);

    /**
     * @param normalise removes from stdout what differs between equal runs
     * @param report receives the end of every step, once
     */
    public ProcessSupervisor(SupervisorContext around, UnaryOperator<String> normalise, Consumer<StepExited> report) {
        this(
                around,
                new Launcher(
                        around.options(),
                        around.workers(),
                        ClientEnvironments.in(around.vertx()),
                        () -> OpenServer.close(around.vertx()),
                        () -> SecretFiles.of(around.vertx()),
                        StartedLauncher::begin),
                normalise,
                report);
    }

    ProcessSupervisor(
            SupervisorContext around, Launcher launcher, UnaryOperator<String> normalise, Consumer<StepExited> report) {
        this.around = around;
        this.survivors = new Survivors(around);
        this.launcher = launcher;
        this.normalise = normalise;
        this.report = report;
    }

    /** Applies the log limit to supervised steps. */
    Future<Void> holdLogs() {
        return around.logs()
                .look(steps.values().stream().map(SupervisedStep::folder).toList());
    }

    /** Launches or adopts a step; a repeated command returns the first answer. */
    public Future<StepLaunched> launch(LaunchStep command) {
        StepSpec step = command.step();
        String key = StepOrder.key(step.runId(), step.stepId());
        SupervisedStep followed = steps.get(key);
        if (followed != null) {
            return followed.launched();
        }
        if (ended.containsKey(key)) {
            return Future.succeededFuture(new StepLaunched(step.runId(), step.stepId(), OptionalLong.empty(), false));
        }
        return take(StepOrder.of(step, around.processes().bootId(), around.cgroups()))
                .begin(Optional.of(step), !command.recovered());
    }

    Future<ConfinedCommand> confine(ConfineCommand question) {
        return around.workers().executeBlocking(() -> launcher.confine(question.step(), question.sandbox()), false);
    }

    /** Ends a step's tree, also one that only an earlier runtime supervised. */
    public Future<KillReceipt> stop(StopStep command) {
        String key = StepOrder.key(command.runId(), command.stepId());
        SupervisedStep followed = steps.get(key);
        if (followed != null) {
            return followed.stop(command.why(), command.now());
        }
        if (ended.containsKey(key)) {
            return Future.succeededFuture(nothing(command));
        }
        StepFolder folder = around.folder(command.runId(), command.stepId());
        return around.workers()
                .executeBlocking(folder::order, false)
                .compose(order -> order.map(found -> stopUnseen(found, command))
                        .orElseGet(() -> Future.succeededFuture(nothing(command))));
    }

    /** Scans again for processes that an ended step left, by its folder, and ends them. */
    Future<KillReceipt> sweep(SweepStep command) {
        HandlerLife handler = lingering.get(StepOrder.key(command.runId(), command.stepId()));
        return handler == null ? survivors.sweep(command) : handler.sweep(command.now());
    }

    /** Returns the live agents, oldest first. */
    Future<ProcessList> list(ListProcesses question) {
        return around.scanner()
                .take()
                .compose(snapshot -> around.workers().executeBlocking(() -> gits(snapshot), false))
                .recover(cause -> {
                    LOG.warn("git processes are not listed, since /proc cannot be read: {}", cause.getMessage());
                    return Future.succeededFuture(List.of());
                })
                .map(gits -> new ProcessList(Stream.concat(
                                gits.stream(), steps.values().stream().flatMap(step -> step.process().stream()))
                        .filter(process ->
                                question.runId().map(process.runId()::equals).orElse(true))
                        .sorted(Comparator.comparing(LiveProcess::startedAt))
                        .toList()));
    }

    /** Returns the git processes of runs, with their filters and hooks. */
    private List<LiveProcess> gits(ProcessSnapshot snapshot) {
        String data = around.options().data().toString();
        return snapshot.processes().stream()
                .filter(seen -> seen.stat().living()
                        && seen.nonce().startsWith(StepEnvironment.GIT_NONCES)
                        && data.equals(seen.marks().get(StepEnvironment.DATA)))
                .limit(MOST_GITS)
                .flatMap(seen -> ProcessHandle.of(seen.stat().pid())
                        .flatMap(process -> process.info().startInstant())
                        .map(start -> LiveProcess.of(
                                seen.marks().getOrDefault(StepEnvironment.RUN_ID, ""),
                                seen.marks().getOrDefault(StepEnvironment.STEP_ID, ""),
                                LiveProcess.GIT,
                                seen.stat().pid(),
                                start,
                                List.of(around.processes().command(seen.stat().pid())),
                                LiveProcess.RUNNING))
                        .stream())
                .toList();
    }

    /**
     * Ends every live step of a role, or the named step. Waits for the process of a step that is being launched or
     * adopted.
     */
    Future<KillReceipt> kill(KillRole command) {
        List<SupervisedStep> wanted = steps.values().stream()
                .filter(step -> step.order().runId().equals(command.runId()))
                .filter(step -> command.means(step.order().role(), step.order().stepId()))
                .toList();
        return Future.join(wanted.stream().map(SupervisedStep::launched).toList())
                .transform(known -> killLive(
                        command,
                        wanted.stream()
                                .filter(step -> step.process().isPresent())
                                .toList()));
    }

    private Future<KillReceipt> killLive(KillRole command, List<SupervisedStep> live) {
        if (live.isEmpty()) {
            return Future.failedFuture(new UnknownRoleException(command.runId(), command.role(), roles(command)));
        }
        Instant requestedAt = around.clock().instant();
        return Future.join(live.stream()
                        .map(step -> step.stop(ExitCause.KILLED, command.now()))
                        .toList())
                .map(all -> merged(command.runId(), requestedAt, all.list()));
    }

    /** Names the step if there is only one. */
    private static KillReceipt merged(String runId, Instant requestedAt, List<KillReceipt> parts) {
        boolean survivors = parts.stream().anyMatch(part -> part.outcome() == Outcome.survivors);
        return new KillReceipt(
                        runId,
                        parts.size() == 1 ? parts.get(0).stepId() : Optional.empty(),
                        requestedAt,
                        parts.stream()
                                .map(KillReceipt::verifiedAt)
                                .max(Instant::compareTo)
                                .orElse(requestedAt),
                        survivors ? Outcome.survivors : Outcome.gone,
                        parts.stream()
                                .flatMap(part -> part.processes().stream())
                                .toList())
                .withSandbox(
                        parts.stream().map(KillReceipt::sandbox).distinct().count() == 1
                                ? parts.get(0).sandbox()
                                : Optional.empty());
    }

    /** Finds orphans; ends them unless it is a dry run. */
    Future<Reaped> reap(ReapOrphans command) {
        return new Reaper(around).reap(command, steps.keySet());
    }

    /** Ends all steps, or all but those that may outlive the runtime. */
    Future<StoppedAll> stopAll(StopAll command) {
        List<SupervisedStep> exempt = steps.values().stream()
                .filter(step -> command.exemptKept() && step.order().onRuntimeDeath() == OnRuntimeDeath.KEEP)
                .toList();
        List<LiveProcess> living = exempt.stream()
                .filter(step -> step.order().program().handler().isEmpty())
                .flatMap(step -> step.process().stream())
                .toList();
        List<Future<Void>> released = exempt.stream().map(this::release).toList();
        List<Future<KillReceipt>> receipts = List.copyOf(steps.values()).stream()
                .map(step -> step.stop(ExitCause.STOPPED, command.now())
                        .compose(receipt -> step.exited().map(receipt)))
                .toList();
        return Future.join(released)
                .compose(quiet -> Future.join(receipts))
                .map(all -> new StoppedAll(all.list(), living));
    }

    private SupervisedStep take(StepOrder order) {
        StepFolder folder = around.folder(order.runId(), order.stepId());
        SupervisedStep step = order.program().handler().isPresent()
                ? new HandlerLife(around, order, folder, normalise)
                : new StepLife(around, order, folder, launcher, normalise);
        steps.put(order.key(), step);
        step.exited().onComplete(exited -> close(step, exited), broken -> closeBroken(order, broken));
        return step;
    }

    private void close(SupervisedStep step, StepExited exited) {
        boolean gone = exited.swept().outcome() == Outcome.gone
                && exited.internalError().isEmpty();
        forget(step.order(), gone);
        if (!gone && step instanceof HandlerLife handler) {
            String key = step.order().key();
            lingering.put(key, handler);
            handler.gone().onComplete(over -> lingering.remove(key));
        }
        report.accept(exited);
    }

    /** An internal error must not leave the step open for ever. */
    private void closeBroken(StepOrder order, Throwable broken) {
        forget(order, false);
        if (TransientFailure.isShutdown(broken)) {
            LOG.debug("step {} is left to the next runtime", order.key());
            return;
        }
        LOG.error("the end of step {} could not be reported", order.key(), broken);
        report.accept(
                StepExited.broken(order.runId(), order.stepId(), around.clock().instant(), broken.toString()));
    }

    private void forget(StepOrder order, boolean gone) {
        steps.remove(order.key());
        ended.put(order.key(), gone);
    }

    /** The end of a step is durable: removes what only an open step needs. One that this runtime never saw may be unlaunched. */
    Future<Void> tidy(String runId, String stepId) {
        Optional<Boolean> gone = Optional.ofNullable(ended.get(StepOrder.key(runId, stepId)));
        if (gone.equals(Optional.of(false))) {
            return Future.succeededFuture();
        }
        StepFolder folder = around.folder(runId, stepId);
        return around.workers()
                .executeBlocking(
                        () -> {
                            folder.tidy(gone.isPresent());
                            return null;
                        },
                        false);
    }

    private Future<Void> release(SupervisedStep step) {
        steps.remove(step.order().key());
        return step.release();
    }

    private Future<KillReceipt> stopUnseen(StepOrder order, StopStep command) {
        SupervisedStep followed = steps.get(order.key());
        SupervisedStep step = followed == null ? take(order) : followed;
        Future<?> known = followed == null ? step.begin(Optional.empty(), false) : step.launched();
        return known.compose(launched -> step.stop(command.why(), command.now()));
    }

    private KillReceipt nothing(StopStep command) {
        return KillReceipt.nothing(
                command.runId(), command.stepId(), around.clock().instant());
    }

    private List<String> roles(KillRole command) {
        return steps.values().stream()
                .flatMap(step -> step.process().stream())
                .filter(process -> process.runId().equals(command.runId()))
                .sorted(Comparator.comparing(LiveProcess::startedAt))
                .map(LiveProcess::role)
                .distinct()
                .toList();
    }
}
