package dev.loopkeeper.embed;

import java.util.Set;

/** Which bytes of a step's output to read. Immutable. */
public final class LogSelection {
    private static final Set<String> STREAMS = Set.of("stdout", "stderr", "prompt");

    /** Standard output from its beginning, as far as it is there. */
    public static final LogSelection STDOUT = new LogSelection("stdout", 0, false);

    final String stream;
    final long offset;
    final boolean follow;

    private LogSelection(String stream, long offset, boolean follow) {
        if (!STREAMS.contains(stream)) {
            throw new IllegalArgumentException("stream must be stdout, stderr or prompt, was '" + stream + "'");
        }
        if (offset < 0) {
            throw new IllegalArgumentException("offset must be 0 or more, was " + offset);
        }
        this.stream = stream;
        this.offset = offset;
        this.follow = follow;
    }

    /** Selects {@code stdout}, {@code stderr} or {@code prompt}; refuses others with {@link IllegalArgumentException}. */
    public LogSelection stream(String name) {
        return new LogSelection(name, offset, follow);
    }

    /** Begins at another byte; refuses a negative one with {@link IllegalArgumentException}. */
    public LogSelection from(long first) {
        return new LogSelection(stream, first, follow);
    }

    /** Ends with the step, not with what the log has now. */
    public LogSelection following() {
        return new LogSelection(stream, offset, true);
    }
}
