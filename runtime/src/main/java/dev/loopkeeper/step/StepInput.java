package dev.loopkeeper.step;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * The input of a step.
 *
 * @param env the manifest's environment; variables of the agent and the runtime override it
 * @param vars values for prompt templates; an item's vars already override the run's
 * @param feedback the operator's last feedback; empty without feedback
 * @param context earlier results for the agent
 * @param continues the session to continue; absent: the step begins one
 */
@RecordBuilder
public record StepInput(
        Map<String, String> env,
        Map<String, String> vars,
        String feedback,
        LaunchContext context,
        Optional<EarlierSession> continues)
        implements StepInputBuilder.With {}
