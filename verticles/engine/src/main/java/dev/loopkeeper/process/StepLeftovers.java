package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.step.ExitCause;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a step's folder tells after its end.
 *
 * @param endedAt as the launcher recorded it
 * @param lastSign when something was last written to the folder; absent if unknown, or if the end was recorded
 * @param flaw why nothing could be read, for good
 */
record StepLeftovers(
        OutputDigest output,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        Optional<Instant> lastSign,
        Optional<ExitCause> stopCause,
        Optional<String> flaw) {
    private static final Logger LOG = LoggerFactory.getLogger(StepLeftovers.class);

    /** Nothing could be read. */
    static StepLeftovers unreadable(String flaw) {
        return new StepLeftovers(
                OutputDigest.UNREADABLE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(flaw));
    }

    /** Who runs Loopkeeper may not read it, which is no flaw of ours; how it ended was told in another way. */
    static StepLeftovers sealed(StepOrder order) {
        return new StepLeftovers(
                OutputDigest.unknown(order.key()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Blocking. */
    static StepLeftovers of(StepFolder folder, StepOrder order, UnaryOperator<String> normalise) throws IOException {
        boolean removed = order.enclosure().map(Cgroup::remove).orElse(true);
        if (!removed) {
            LOG.debug("control group of step {} was in use or gone", order.key());
        }
        Optional<Instant> endedAt = folder.endedAt();
        return new StepLeftovers(
                OutputDigest.read(
                        folder.path(), order.output(), order.expectOutput().orElse(""), normalise),
                folder.startedAt(),
                endedAt,
                endedAt.isPresent() ? Optional.empty() : folder.lastSign(),
                folder.stopped().map(StepFolder.StopNote::cause),
                Optional.empty());
    }
}
