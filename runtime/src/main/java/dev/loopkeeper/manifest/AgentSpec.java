package dev.loopkeeper.manifest;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes an agent: the process that a step launches.
 *
 * @param prompt template file given on stdin, relative to the manifest's folder; absent: stdin is empty
 * @param output dialect of stdout; default {@link OutputDialect#TEXT}
 * @param signal the file the agent must leave, relative to the workspace, with {@code {{runId}}} filled in for each
 * run; absent: the exit code decides
 * @param env added to the variables of the manifest and the runtime
 * @param cwd working directory relative to the workspace; default the workspace
 * @param timeout hard limit of a step; absent: none
 * @param idleTimeout limit without output, signal-file or workspace change; absent: none
 * @param fallback agents tried in this order when this one's provider stays unavailable
 * @param context whether Loopkeeper appends earlier results to a prompt that does not name them
 * @param session whether a launch continues an earlier session
 * @param resume the command that continues a session, with {@code {{session.id}}} for its id; absent: sessions cannot
 * be continued
 * @param nudge how often Loopkeeper launches a step again because it left no valid signal, 0 to 3
 */
@RecordBuilder
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
        int nudge)
        implements AgentSpecBuilder.With {
    private static final Pattern SESSION_ID = Pattern.compile("\\{\\{[ \\t]*session\\.id[ \\t]*\\}\\}");

    /** Returns a copy that runs another command in another environment. */
    public AgentSpec running(CommandLine program, Map<String, String> environment) {
        return withCommand(program).withEnv(environment);
    }

    /** Returns a copy that continues this session; the agent itself when it has no command for that. */
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
