package dev.loopkeeper.scheduler;

import dev.loopkeeper.rules.Decision;
import dev.loopkeeper.rules.message.Capacity;
import dev.loopkeeper.rules.message.LaunchGates;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import io.vertx.core.Future;

/** Connects an actor to the scheduler. */
interface RunHost {
    /** Executes a durable decision. */
    void execute(RunActor run, Decision decision);

    /** Records an input that arrived after the end of the run. */
    void late(RunState state, String what);

    /** Returns the capacity for a run that this input would activate. Does not fail. */
    Future<Capacity> capacity(RunActor run, RunInput input);

    /** Returns which launches require a permit. Any thread may ask. */
    LaunchGates gates();

    /** The store refused the decision, so it has no effect. */
    void undone(RunActor run);

    /** Deciding on this input, or executing its durable decision, failed with an internal error. */
    void broken(RunActor run, RunInput input, Throwable failure);

    /** The store failed: the host calls {@link RunActor#tryAgain} when it may work again. */
    void storeFailed(RunActor run, Throwable cause);
}
