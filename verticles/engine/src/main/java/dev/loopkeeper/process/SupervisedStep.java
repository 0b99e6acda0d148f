package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.KillReceipt;
import dev.loopkeeper.contract.ProcessChannels.LiveProcess;
import dev.loopkeeper.contract.ProcessChannels.StepExited;
import dev.loopkeeper.contract.ProcessChannels.StepLaunched;
import dev.loopkeeper.step.ExitCause;
import dev.loopkeeper.step.StepSpec;
import io.vertx.core.Future;
import java.util.Optional;

/** One step from its launch or adoption to its report: a process or a handler. Used from one context only. */
interface SupervisedStep {
    /**
     * Launches or adopts it. Answers once the agent runs or is known not to.
     *
     * @param step what is launched; absent: only what was launched before is supervised
     * @param first whether its launch was never requested
     */
    Future<StepLaunched> begin(Optional<StepSpec> step, boolean first);

    /** The same answer again. */
    Future<StepLaunched> launched();

    StepOrder order();

    StepFolder folder();

    /** Completes with the report after everything of it is gone or cannot be ended. Fails for an internal error. */
    Future<StepExited> exited();

    /** The agent while it lives. */
    Optional<LiveProcess> process();

    /** Ends it. The first cause counts; {@code now} skips the grace, also of a stop in progress. */
    Future<KillReceipt> stop(ExitCause cause, boolean now);

    /** Ends the supervision before the runtime ends; a process lives on. Completes when no more comes of it. */
    Future<Void> release();
}
