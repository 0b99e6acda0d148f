package dev.loopkeeper.process;

import dev.loopkeeper.contract.KillReceipt;
import dev.loopkeeper.contract.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.Optional;

/** One step from its launch or adoption to its report: a process or a handler. Used from one context only. */
abstract class SupervisedStep {
    final SupervisorContext around;
    final StepOrder order;
    final StepFolder folder;
    final Promise<StepExited> exited = Promise.promise();
    /** The first cause of its stop. */
    Optional<ExitCause> asked = Optional.empty();

    SupervisedStep(SupervisorContext around, StepOrder order, StepFolder folder) {
        this.around = around;
        this.order = order;
        this.folder = folder;
    }

    /**
     * Launches or adopts it. Answers once the agent runs or is known not to.
     *
     * @param step what is launched; absent: only what was launched before is supervised
     * @param first whether its launch was never requested
     */
    abstract Future<StepLaunched> begin(Optional<StepSpec> step, boolean first);

    /** The same answer again. */
    abstract Future<StepLaunched> launched();

    final StepOrder order() {
        return order;
    }

    final StepFolder folder() {
        return folder;
    }

    /** Completes with the report after everything of it is gone or cannot be ended. Fails for an internal error. */
    final Future<StepExited> exited() {
        return exited.future();
    }

    /** The agent while it lives. */
    abstract Optional<LiveProcess> process();

    /** Describes the agent. */
    final LiveProcess live(long pid, Instant startedAt) {
        return LiveProcess.of(
                order.runId(),
                order.stepId(),
                order.role(),
                pid,
                startedAt,
                order.program().command(),
                asked.isPresent() ? LiveProcess.STOPPING : LiveProcess.RUNNING);
    }

    /** Ends it. The first cause counts; {@code now} skips the grace, also of a stop in progress. */
    abstract Future<KillReceipt> stop(ExitCause cause, boolean now);

    /** Ends the supervision before the runtime ends; a process lives on. Completes when no more comes of it. */
    abstract Future<Void> release();
}
