package dev.loopkeeper.contract.process;

import java.util.OptionalLong;

/**
 * Answer: what became of a {@link LaunchStep}.
 *
 * @param pid of the agent, which leads its own session; absent when it could not be launched or is already gone
 * @param adopted whether it was already running
 */
public record StepLaunched(String runId, String stepId, OptionalLong pid, boolean adopted) {}
