package dev.loopkeeper.manifest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
 * @param session whether a launch goes on in an earlier session
 * @param resume the command that goes on with a session, with {@code {{session.id}}} for its id; absent: there is none
 * @param nudge how often a step that left no valid signal is launched again for it, 0 to 3
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
        ContextMode context,
        SessionMode session,
        Optional<CommandLine> resume,
        int nudge) {
    private static final Pattern SESSION_ID = Pattern.compile("\\{\\{[ \\t]*session\\.id[ \\t]*\\}\\}");

    /** Records of before there was a choice do not have it. */
    public AgentSpec {
        onNodeLoss = onNodeLoss == null ? OnNodeLoss.PAUSE : onNodeLoss;
        context = context == null ? ContextMode.APPEND : context;
        session = session == null ? SessionMode.FRESH : session;
        resume = resume == null ? Optional.empty() : resume;
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
                context,
                session,
                resume,
                nudge);
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
                context,
                session,
                resume,
                nudge);
    }

    /** The same, going on with this session; as it is where it has no command for that. */
    public AgentSpec resuming(String sessionId) {
        String id = Matcher.quoteReplacement(sessionId);
        return resume.map(command -> running(
                        new CommandLine(
                                command.words().stream()
                                        .map(word -> SESSION_ID.matcher(word).replaceAll(id))
                                        .toList(),
                                command.shell()),
                        env))
                .orElse(this);
    }
}
