package dev.loopkeeper.process;

import dev.loopkeeper.contract.OutputDigest;
import dev.loopkeeper.process.tree.Cgroup;
import dev.loopkeeper.step.ExitCause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a step's folder after its end.
 *
 * @param endedAt as the launcher recorded it
 * @param lastSign when something was last written to the folder; absent if unknown, or if the end was recorded
 * @param internalError why nothing could be read
 * @param sandbox what the kernel enforced; absent without a sandbox
 */
record StepResults(
        OutputDigest output,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        Optional<Instant> lastSign,
        Optional<ExitCause> stopCause,
        Optional<String> internalError,
        Optional<String> sandbox) {
    private static final Logger LOG = LoggerFactory.getLogger(StepResults.class);

    /** The results could not be read. */
    static StepResults unreadable(String internalError) {
        return without(OutputDigest.UNREAD, Optional.of(internalError));
    }

    /** Access to it is denied, which is not an internal error; its end is known otherwise. */
    static StepResults denied(StepOrder order) {
        return without(OutputReading.unknown(order.key()), Optional.empty());
    }

    private static StepResults without(OutputDigest output, Optional<String> internalError) {
        return new StepResults(
                output,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                internalError,
                Optional.empty());
    }

    /** Blocking. */
    static StepResults of(StepFolder folder, StepOrder order, UnaryOperator<String> normalise) throws IOException {
        boolean removed = order.enclosure().map(Cgroup::remove).orElse(true);
        if (!removed) {
            LOG.debug("control group of step {} was in use or gone", order.key());
        }
        Sandbox.clear(order.marks().nonce());
        if (folder.sandbox().isPresent()) {
            SandboxGit.setAside(Path.of(order.program().workspace()), folder.path())
                    .ifPresent(planted -> LOG.warn(
                            "step {} made {}, with which git would use other settings: moved to {}",
                            order.key(),
                            planted,
                            folder.path()));
        }
        Optional<Instant> endedAt = folder.endedAt();
        return new StepResults(
                OutputReading.read(
                        folder.path(),
                        order.program().output(),
                        order.program().expectOutput().orElse(""),
                        normalise),
                folder.startedAt(),
                endedAt,
                endedAt.isPresent() ? Optional.empty() : folder.lastSign(),
                folder.stopped().map(StepFolder.StopNote::cause),
                Optional.empty(),
                folder.sandbox());
    }
}
