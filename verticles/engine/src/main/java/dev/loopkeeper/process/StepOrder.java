package dev.loopkeeper.process;

import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.step.StepSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The facts that the supervision of a step requires, without prompt and environment. Kept in the step's folder, so
 * that a runtime that never received the {@link LaunchStep} can stop the step too.
 *
 * @param role name of the agent
 * @param bootId of the machine when the launch was requested
 * @param command the words that are executed
 * @param output how its standard output is read; plain text in what was written before this was kept
 * @param cgroup folder of its control group; absent where none can be made
 * @param signalFile absolute; empty when none is declared
 */
record StepOrder(
        String runId,
        String stepId,
        String role,
        String nonce,
        String bootId,
        List<String> command,
        StopSpec stop,
        OnRuntimeDeath onRuntimeDeath,
        Optional<String> expectOutput,
        String workspace,
        String signalFile,
        Optional<Duration> timeout,
        Optional<Duration> idleTimeout,
        OutputDialect output,
        Optional<String> cgroup) {

    /** See {@link #output}. */
    StepOrder {
        output = output == null ? OutputDialect.TEXT : output;
    }

    /** @param cgroups where control groups can be made */
    static StepOrder of(StepSpec step, String bootId, Optional<Path> cgroups) {
        return new StepOrder(
                step.runId(),
                step.stepId(),
                step.identity().agent(),
                step.nonce(),
                bootId,
                step.agentSpec().program().command().argv(),
                step.agentSpec().limits().stop(),
                step.agentSpec().loss().onRuntimeDeath(),
                step.rules().expectOutput(),
                step.workspace(),
                StepEnvironment.signalFile(step),
                step.agentSpec().limits().timeout(),
                step.agentSpec().limits().idleTimeout(),
                step.agentSpec().program().output(),
                cgroups.map(base -> base.resolve("loopkeeper-" + step.nonce()).toString()));
    }

    /** The processes it may hold, whatever they did to hide. */
    Optional<Cgroup> enclosure() {
        return cgroup.map(folder -> new Cgroup(Path.of(folder)));
    }

    /** Unique in the data folder, e.g. {@code fix-1/build.3.dev.1}. */
    String key() {
        return key(runId, stepId);
    }

    static String key(String runId, String stepId) {
        return runId + "/" + stepId;
    }
}
