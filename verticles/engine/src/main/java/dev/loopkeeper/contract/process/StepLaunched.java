package dev.loopkeeper.contract.process;

import java.util.OptionalLong;

/**
 * Answer: the result of a {@link LaunchStep}.
 *
 * @param pid of the agent, which leads its own session; absent if it could not be launched or is gone already
 * @param adopted whether it was already running
 */
public record StepLaunched(String runId, String stepId, OptionalLong pid, boolean adopted) {}
