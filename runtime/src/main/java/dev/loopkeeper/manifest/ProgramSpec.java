package dev.loopkeeper.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;
import java.util.Optional;

/**
 * Describes the program of an agent: its start, input and results.
 *
 * @param prompt template file given on stdin, relative to the manifest's folder; absent: stdin is empty
 * @param output dialect of stdout; default {@link OutputDialect#TEXT}
 * @param signal the file the agent must leave, relative to the workspace, with {@code {{runId}}} filled in for each
 * run; absent: the exit code decides
 * @param env added to the variables of the manifest and the runtime
 * @param cwd working directory relative to the workspace; default the workspace
 * @param handler the Java that runs in place of a program; then {@code command} only names it
 */
@RecordBuilder
public record ProgramSpec(
        CommandLine command,
        Optional<String> prompt,
        OutputDialect output,
        Optional<String> signal,
        Map<String, String> env,
        Optional<String> cwd,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<HandlerSpec> handler)
        implements ProgramSpecBuilder.With {
    /** A program without prompt, signal file and environment of its own. */
    public static ProgramSpec of(CommandLine command) {
        return ProgramSpecBuilder.builder()
                .command(command)
                .output(OutputDialect.TEXT)
                .env(Map.of())
                .build();
    }
}
