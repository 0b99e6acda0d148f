package dev.loopkeeper.step;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Explains to a launch why it is a retry. {@link BoundedText} bounds each text.
 *
 * @param message what happened, in the original words
 * @param stepId of the step that failed or judged
 * @param exitCode of that step's process
 * @param output last lines that it printed
 * @param files that could not be merged, or are protected and were changed; as git spells names
 * @param detail more precise than the kind, e.g. {@code timeout}, {@code rate-limit} or {@code schema_invalid}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@RecordBuilder
public record Failure(
        FailureKind kind,
        @JsonInclude(JsonInclude.Include.ALWAYS) String message,
        Optional<String> stepId,
        OptionalInt exitCode,
        Optional<String> output,
        List<String> files,
        Optional<String> detail)
        implements FailureBuilder.With {
    /** Bounds every text. */
    public Failure {
        message = BoundedText.beginning(message);
        output = output.map(BoundedText::end);
        files = bounded(files);
    }

    /** A failure without further facts. */
    public static Failure of(FailureKind kind, String message) {
        return new Failure(
                kind, message, Optional.empty(), OptionalInt.empty(), Optional.empty(), List.of(), Optional.empty());
    }

    /** Returns a copy with this step. */
    public Failure by(String step) {
        return withStepId(Optional.of(step));
    }

    /** Returns a copy with the exit code and the last lines of the process. */
    public Failure leaving(OptionalInt code, Optional<String> lastLines) {
        return withExitCode(code).withOutput(lastLines);
    }

    /** The failure to report: the first by the order of kinds, the newest within a kind; {@code all} are oldest first. */
    public static Optional<Failure> first(Stream<Failure> all) {
        return all.reduce((older, newer) -> newer.kind().compareTo(older.kind()) <= 0 ? newer : older);
    }

    private static List<String> bounded(List<String> names) {
        List<String> kept = new ArrayList<>();
        int bytes = 0;
        for (String name : names) {
            bytes += name.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > BoundedText.MOST_BYTES) {
                break;
            }
            kept.add(name);
        }
        return List.copyOf(kept);
    }
}
