package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes an agent: the process that a step launches. Its JSON is flat, as in a manifest.
 *
 * @param fallback agents tried in this order when this one's provider stays unavailable
 * @param escalate which agent takes over after rejections; absent: none
 * @param pool name of the policy's pool whose places and cool-down it shares; absent: that of its program
 */
@RecordBuilder
public record AgentSpec(
        @JsonUnwrapped ProgramSpec program,
        @JsonUnwrapped StepLimits limits,
        List<String> fallback,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<EscalateSpec> escalate,
        @JsonUnwrapped LossSpec loss,
        @JsonUnwrapped ContinuationSpec continuation,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> pool)
        implements AgentSpecBuilder.With {
    private static final Duration LONGEST_SILENCE = Duration.ofHours(1);
    private static final Pattern SESSION_ID = Pattern.compile("\\{\\{[ \\t]*session\\.id[ \\t]*\\}\\}");

    /** An agent with the defaults for everything but its program and limits. */
    public static AgentSpec of(ProgramSpec program, StepLimits limits) {
        return new AgentSpec(
                program,
                limits,
                List.of(),
                Optional.empty(),
                LossSpec.DEFAULTS,
                ContinuationSpec.DEFAULTS,
                Optional.empty());
    }

    /** Returns the limits of a step. An agent with a structured output may be silent for one hour by default. */
    public StepLimits limitsInForce() {
        Optional<Duration> silence = limits.idleTimeout()
                .or(() -> Optional.of(LONGEST_SILENCE).filter(hour -> program.output() != OutputDialect.TEXT))
                .filter(limit -> !limit.isZero());
        return new StepLimits(limits.stop(), limits.timeout(), silence);
    }

    /** Returns a copy that runs another command in another environment. */
    public AgentSpec running(CommandLine command, Map<String, String> environment) {
        return withProgram(program.withCommand(command).withEnv(environment));
    }

    /** Returns a copy that continues this session; the agent itself when it has no command for that. */
    public AgentSpec resuming(String sessionId) {
        String id = Matcher.quoteReplacement(sessionId);
        return continuation
                .resume()
                .map(command -> new CommandLine(
                        command.words().stream()
                                .map(word -> SESSION_ID.matcher(word).replaceAll(id))
                                .toList(),
                        command.shell()))
                .map(command -> running(command, program.env()))
                .orElse(this);
    }
}
