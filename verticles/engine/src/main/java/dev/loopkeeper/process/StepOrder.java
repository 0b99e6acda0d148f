package dev.loopkeeper.process;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loopkeeper.contract.ProcessChannels.LaunchStep;
import dev.loopkeeper.manifest.HandlerSpec;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.process.tree.StepEnvironment;
import dev.loopkeeper.step.StepSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The facts that the supervision of a step requires, without prompt and environment. Kept in the step's folder as flat
 * JSON, so that a runtime that never received the {@link LaunchStep} can stop the step too.
 *
 * @param role name of the agent
 * @param limits when and how the step is stopped
 */
record StepOrder(
        String runId,
        String stepId,
        String role,
        @JsonUnwrapped Marks marks,
        @JsonUnwrapped Program program,
        @JsonUnwrapped StepLimits limits,
        OnRuntimeDeath onRuntimeDeath) {

    /**
     * What distinguishes the step's processes from others.
     *
     * @param nonce in their environment
     * @param bootId of the machine when the launch was requested
     * @param cgroup folder of their control group; absent where none can be made
     */
    record Marks(String nonce, String bootId, Optional<String> cgroup) {}

    /**
     * What is executed, and where its results are.
     *
     * @param command the words that are executed
     * @param signalFile absolute; empty when none is declared
     * @param output how its standard output is read; plain text in what was written before this was kept
     * @param expectOutput text that completes the loop once it is printed
     * @param handler the Java in place of a program
     */
    record Program(
            List<String> command,
            String workspace,
            String signalFile,
            OutputDialect output,
            Optional<String> expectOutput,
            @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<HandlerSpec> handler) {
        /** See {@link #output}. */
        Program {
            handler = handler == null ? Optional.empty() : handler;
            output = output == null ? OutputDialect.TEXT : output;
        }
    }

    /** @param cgroups where control groups can be made */
    static StepOrder of(StepSpec step, String bootId, Optional<Path> cgroups) {
        return new StepOrder(
                step.runId(),
                step.stepId(),
                step.identity().agent(),
                new Marks(
                        step.nonce(),
                        bootId,
                        cgroups.map(base ->
                                base.resolve("loopkeeper-" + step.nonce()).toString())),
                new Program(
                        step.agentSpec().program().command().argv(),
                        step.workspace(),
                        StepEnvironment.signalFile(step),
                        step.agentSpec().program().output(),
                        step.expectOutput(),
                        step.agentSpec().program().handler()),
                step.agentSpec().limitsInForce(),
                step.agentSpec().loss().onRuntimeDeath());
    }

    /** Its control group, which also has hidden processes. */
    Optional<Cgroup> enclosure() {
        return marks.cgroup().map(folder -> new Cgroup(Path.of(folder)));
    }

    /** Unique in the data folder, e.g. {@code fix-1/build.3.dev.1}. */
    String key() {
        return key(runId, stepId);
    }

    static String key(String runId, String stepId) {
        return runId + "/" + stepId;
    }
}
