package dev.loopkeeper.process;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What a step's folder tells after its end. */
record Remains(
        StepOutput output, Optional<Instant> startedAt, Optional<Instant> endedAt, Optional<ExitCause> stopCause) {
    /** Nothing could be read. */
    static final Remains UNREADABLE =
            new Remains(StepOutput.UNREADABLE, Optional.empty(), Optional.empty(), Optional.empty());

    /** Blocking. */
    static Remains of(StepFolder folder, StepOrder order, UnaryOperator<String> normalise) throws IOException {
        return new Remains(
                StepOutput.read(folder.stdout(), order.expectOutput().orElse(""), normalise),
                folder.startedAt(),
                folder.endedAt(),
                folder.stopped().map(StepFolder.StopNote::cause));
    }
}
