package dev.loopkeeper.agent;

import dev.loopkeeper.step.BoundedText;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The end of what a program printed that did not end well, for the next one that does its work. */
final class LastLines {
    /** What a stream may take where the other one has as much to say. */
    private static final int SHARE = BoundedText.MOST_BYTES / 2 - 1;

    private LastLines() {}

    /** Standard output, then standard error; absent where the exit code is 0, or nothing was printed. */
    static Optional<String> of(ExitFacts exit, Tail stdout, Tail stderr) {
        if (exit.is(0) && exit.raised().isEmpty()) {
            return Optional.empty();
        }
        String said = BoundedText.readable(stdout.text());
        String errors = BoundedText.readable(stderr.text());
        String kept = BoundedText.end(errors, Math.max(SHARE, BoundedText.MOST_BYTES - 1 - BoundedText.bytes(said)));
        String both = Stream.of(BoundedText.end(said, BoundedText.MOST_BYTES - 1 - BoundedText.bytes(kept)), kept)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
        return both.isEmpty() ? Optional.empty() : Optional.of(both);
    }
}
