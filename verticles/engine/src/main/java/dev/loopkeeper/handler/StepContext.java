package dev.loopkeeper.handler;

import dev.loopkeeper.step.LaunchContext;
import dev.loopkeeper.step.StepIdentity;
import dev.loopkeeper.step.TraceContext;
import dev.loopkeeper.step.Usage;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Map;

/** What a {@link StepHandler} knows of its step, and what it reports while it runs. Safe to use from any thread. */
public interface StepContext {
    /** Run, step, phase, iteration, item, attempt and agent. */
    StepIdentity step();

    /** The execution of the run, from 1. */
    int execution();

    /** The folder in which the step works. */
    Path workspace();

    /** The run's variables; those of the item override them. */
    Map<String, String> vars();

    /** The operator's last feedback; empty without feedback. */
    String feedback();

    /** What came before: the last verdict, why this is another try, earlier iterations. */
    LaunchContext context();

    /** The same as text for a model, in Markdown; empty when there is nothing to say. */
    String contextText();

    /** The step's position in the trace of the execution. */
    TraceContext trace();

    /**
     * Completes when the step is to end: at a stop, a time limit, or the end of the runtime. The handler then has the
     * agent's {@code stop.grace} to complete its future.
     */
    Future<Void> cancelled();

    /** Adds this to the usage of the step; budgets see it at once. */
    void report(Usage used);

    /** Writes a line to the step's log. */
    void say(String text);
}
