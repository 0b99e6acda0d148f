package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.ReadSignal;
import dev.loopkeeper.rules.message.StepOutcome;
import dev.loopkeeper.run.StepSwept;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.SweptProcess;
import dev.loopkeeper.termination.StandardReason;
import dev.loopkeeper.verdict.SignalDetail;
import dev.loopkeeper.verdict.SignalReading;
import dev.loopkeeper.work.Retries;
import dev.loopkeeper.work.TransientFailure;
import dev.loopkeeper.workspace.Workspaces;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects all results of an ended step. Failed reads are retried for a minute; then, or when a reader throws, its
 * futures fail.
 */
final class StepOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger(StepOutcomes.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final Duration AGAIN_AFTER = Duration.ofMillis(500);
    /** A disk that fails to return data for this long is treated as broken. */
    private static final long READ_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Vertx vertx;
    private final WorkerExecutor workers;
    private final Workspaces workspaces;

    StepOutcomes(Vertx vertx, WorkerExecutor workers, Workspaces workspaces) {
        this.vertx = vertx;
        this.workers = workers;
        this.workspaces = workspaces;
    }

    /** Returns the workers that read the results of steps. */
    WorkerExecutor workers() {
        return workers;
    }

    /** Reads all results, now that no process is left to write to them. */
    Future<StepOutcome> of(OpenedStep step, StepExited exited) {
        Future<SignalReading> signal = signal(step, exited);
        Future<StepReport> report = step.looked()
                .compose(quiet -> step.isLost()
                        ? Future.succeededFuture(StepReport.plain(StandardReason.CRASHED.subtype(), Optional.empty()))
                        : repeated(
                                TransientFailure::is,
                                () -> workers.executeBlocking(() -> report(step, exited), false)));
        return Future.all(signal, report).map(all -> outcome(exited, signal.result(), report.result()));
    }

    /** Remembers the protected files before a launch, without which no step of theirs is launched. */
    Future<Void> remember(StepSpec step) {
        return workspaces.remember(step).recover(cause -> {
            String message = "the protected files of " + step.workspace() + " cannot be read: " + cause.getMessage();
            return Future.failedFuture(
                    TransientFailure.is(cause) ? new ResourceExhaustedException(message, cause) : cause);
        });
    }

    /** Adds the protected files that the step changed, which in its worktree are set back. */
    Future<StepOutcome> permitted(OpenedStep step, StepExited exited, StepOutcome outcome) {
        return step.isUnlaunched() || exited.process().cause() == ExitCause.LAUNCH_FAILED
                ? Future.succeededFuture(outcome)
                : repeated(TransientFailure::is, () -> workspaces.judge(step.spec(), outcome));
    }

    /**
     * Adds the digest of the workspace: the tree that git committed, which is equal for equal content, else a digest of
     * the files.
     */
    Future<StepOutcome> compared(OpenedStep step, StepExited exited, StepOutcome outcome, GitRequests.Committed done) {
        boolean unknown = exited.process().cause() == ExitCause.STOPPED
                || done.git().failure().isPresent();
        Future<String> digest = unknown
                ? Future.succeededFuture(unknownAfter(exited))
                : done.tree().map(Future::succeededFuture).orElseGet(() -> digest(step, exited));
        return digest.map(
                known -> outcome.with(new StepOutcome.Digests(outcome.digests().outputDigest(), known), done.git()));
    }

    /** Returns a unique digest, so that an unknown workspace never looks unchanged. */
    private static String unknownAfter(StepExited exited) {
        return "unknown after " + exited.stepId() + " of " + exited.process().startedAt();
    }

    /** Builds the outcome of a step whose results could not be read; its run ends. */
    static StepOutcome unread(StepExited exited) {
        StepReport nothing = StepReport.plain("error_during_execution", Optional.empty());
        return outcome(exited, new SignalReading.NotDeclared(), nothing);
    }

    /** Returns the steps whose output may have changed, or cannot be checked. */
    Future<List<OpenedStep>> withNews(List<OpenedStep> open) {
        return open.isEmpty()
                ? Future.succeededFuture(open)
                : workers.executeBlocking(
                        () -> open.stream().filter(StepOutcomes::hasNews).toList(), false);
    }

    private static boolean hasNews(OpenedStep step) {
        try {
            return step.output().hasNews();
        } catch (IOException unknown) {
            return true;
        }
    }

    Future<StepOutput.SoFar> outputSoFar(OpenedStep step) {
        return workers.executeBlocking(() -> step.output().soFar(), false);
    }

    /** Reads the signal file; not of a step that was not launched, since that did not write it. */
    private Future<SignalReading> signal(OpenedStep step, StepExited exited) {
        if (step.isPathBlocked()) {
            return Future.succeededFuture(new SignalReading.PathBlocked());
        }
        if (step.signalLocation().isEmpty()
                || step.isUnlaunched()
                || exited.process().cause() == ExitCause.LAUNCH_FAILED) {
            return Future.succeededFuture(new SignalReading.NotDeclared());
        }
        ReadSignal question = new ReadSignal(step.signalLocation().get());
        return repeated(lost -> true, () -> SignalChannels.READ.ask(vertx.eventBus(), question, TIMEOUT))
                .otherwise(cause -> new SignalReading.Invalid(
                        SignalDetail.MALFORMED, "the signal file could not be read: " + cause.getMessage()));
    }

    private <T> Future<T> repeated(Predicate<Throwable> passes, Supplier<Future<T>> look) {
        long sinceNanos = System.nanoTime();
        return Retries.every(
                vertx,
                AGAIN_AFTER,
                cause -> passes.test(cause) && System.nanoTime() - sinceNanos < READ_WITHIN_NANOS,
                look);
    }

    private static StepReport report(OpenedStep step, StepExited exited) throws IOException {
        StepReport read = printed(step, exited);
        return exited.reported().map(reported -> reported.on(read)).orElse(read);
    }

    private static StepReport printed(OpenedStep step, StepExited exited) throws IOException {
        try {
            if (step.isText()) {
                step.output().skipToTail();
            }
            return step.output().finish(facts(exited), exited.process().endedAt());
        } catch (AccessDeniedException forbidden) {
            LOG.warn("the output of {} is not readable for this user: {}", exited.stepId(), forbidden.getMessage());
            String termination =
                    exited.process().exitCode().orElse(1) == 0 && step.isText() ? "stop" : "error_during_execution";
            return StepReport.plain(termination, Optional.empty());
        }
    }

    private static ExitFacts facts(StepExited exited) {
        Optional<ErrorKind> raised = switch (exited.process().cause()) {
            case EXITED, VANISHED, NODE_LOST -> Optional.empty();
            case STOPPED, KILLED, RUNTIME_DIED -> Optional.of(ErrorKind.ABORTED);
            case TIMEOUT -> Optional.of(ErrorKind.TIMEOUT);
            case IDLE -> Optional.of(ErrorKind.IDLE);
            case LAUNCH_FAILED -> exited.launchError().or(() -> Optional.of(ErrorKind.SESSION_FAILED));
        };
        return new ExitFacts(
                exited.process().exitCode(), raised, exited.process().diagnostic());
    }

    private Future<String> digest(OpenedStep step, StepExited exited) {
        return workspaces.digest(step.spec()).otherwise(cause -> {
            LOG.warn(
                    "cannot determine whether step {} of run {} changed the workspace: {}",
                    exited.stepId(),
                    step.spec().runId(),
                    cause.toString());
            return unknownAfter(exited);
        });
    }

    private static StepOutcome outcome(StepExited exited, SignalReading reading, StepReport report) {
        return new StepOutcome(
                exited.process(),
                reading,
                report,
                exited.output().matched(),
                new StepOutcome.Digests(exited.output().digest(), ""),
                new StepOutcome.Sweep(
                        exited.process().cause().leftBehind(ended(exited.swept())), survivors(exited.swept())),
                Optional.empty());
    }

    private static List<String> survivors(KillReceipt receipt) {
        return receipt.processes().stream()
                .filter(process -> process.goneAt().isEmpty())
                .map(process -> process.pid() == 0 ? process.command() : process.pid() + " " + process.command())
                .toList();
    }

    private static List<SweptProcess> ended(KillReceipt receipt) {
        return receipt.processes().stream()
                .filter(process -> process.goneAt().isPresent())
                .map(process -> new SweptProcess(process.pid(), process.command(), process.foundBy()))
                .toList();
    }

    /** Builds the result of a later sweep of an ended step. */
    static StepSwept swept(String stepId, KillReceipt receipt) {
        return StepSwept.of(stepId, ended(receipt), survivors(receipt));
    }
}
