package dev.loopkeeper.embed;

import java.util.Set;

/**
 * Which bytes of a step's output to read.
 *
 * @param stream {@code stdout}, {@code stderr} or {@code prompt}
 * @param offset of the first byte, 0 or more
 * @param follow whether the stream ends with the step, not with what the log has now
 */
public record LogSelection(String stream, long offset, boolean follow) {
    private static final Set<String> STREAMS = Set.of("stdout", "stderr", "prompt");

    /** Refuses another stream and a negative offset with {@link IllegalArgumentException}. */
    public LogSelection {
        if (!STREAMS.contains(stream)) {
            throw new IllegalArgumentException("stream must be stdout, stderr or prompt, was '" + stream + "'");
        }
        if (offset < 0) {
            throw new IllegalArgumentException("offset must be 0 or more, was " + offset);
        }
    }

    /** Standard output from its beginning, as far as it is there. */
    public static final LogSelection STDOUT = new LogSelection("stdout", 0, false);

    /** Selects another stream. */
    public LogSelection stream(String name) {
        return new LogSelection(name, offset, follow);
    }

    /** Begins at another byte. */
    public LogSelection from(long first) {
        return new LogSelection(stream, first, follow);
    }

    /** Ends with the step. */
    public LogSelection following() {
        return new LogSelection(stream, offset, true);
    }
}
