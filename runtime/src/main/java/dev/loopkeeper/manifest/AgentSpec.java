package dev.loopkeeper.manifest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One agent: the process that a step launches.
 *
 * @param prompt template file given on stdin, relative to the manifest's folder; absent: stdin is empty
 * @param output dialect of stdout; default {@link OutputDialect#TEXT}
 * @param signal the file the agent must leave, relative to the workspace, with {@code {{runId}}} filled in for each run;
 *     absent: the exit code speaks
 * @param env beside the manifest's and the runtime's own
 * @param cwd working directory relative to the workspace; default the workspace
 * @param timeout hard limit of a step; absent: none
 * @param idleTimeout limit without output, signal-file or workspace change; absent: none
 * @param fallback agents tried in this order when this one's provider stays unavailable
 * @param context whether a prompt that names nothing of what came before gets it appended
 */
public record AgentSpec(
        CommandLine command,
        Optional<String> prompt,
        OutputDialect output,
        Optional<String> signal,
        Map<String, String> env,
        Optional<String> cwd,
        StopSpec stop,
        Optional<Duration> timeout,
        Optional<Duration> idleTimeout,
        List<String> fallback,
        Containment containment,
        OnRuntimeDeath onRuntimeDeath,
        OnNodeLoss onNodeLoss,
        ContextMode context) {
    /** Records of before there was a choice do not have it. */
    public AgentSpec {
        onNodeLoss = onNodeLoss == null ? OnNodeLoss.PAUSE : onNodeLoss;
        context = context == null ? ContextMode.APPEND : context;
    }

    /** The same with its signal file elsewhere. */
    public AgentSpec signallingAt(Optional<String> path) {
        return new AgentSpec(
                command,
                prompt,
                output,
                path,
                env,
                cwd,
                stop,
                timeout,
                idleTimeout,
                fallback,
                containment,
                onRuntimeDeath,
                onNodeLoss,
                context);
    }

    /** The same, another program in another environment. */
    public AgentSpec running(CommandLine program, Map<String, String> environment) {
        return new AgentSpec(
                program,
                prompt,
                output,
                signal,
                environment,
                cwd,
                stop,
                timeout,
                idleTimeout,
                fallback,
                containment,
                onRuntimeDeath,
                onNodeLoss,
                context);
    }
}
