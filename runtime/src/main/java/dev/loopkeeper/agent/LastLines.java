package dev.loopkeeper.agent;

import dev.loopkeeper.step.BoundedText;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Extracts the last output of a failed program for the next launch. */
final class LastLines {
    /** The share of a stream when both streams have output. */
    private static final int SHARE = BoundedText.MOST_BYTES / 2 - 1;

    private LastLines() {}

    /** Standard output, then standard error; absent when the exit code is 0 or there was no output. */
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
