package dev.loopkeeper.process;

import dev.loopkeeper.work.LibC;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts children with no signal blocked. Java blocks SIGQUIT in its threads and so in its children; a child gets the
 * mask of the thread that starts it. Signals that this process ignores stay ignored in the child.
 */
final class CleanSignals {
    private static final Logger LOG = LoggerFactory.getLogger(CleanSignals.class);
    private static final int SET_MASK = 2;
    /** {@code sigset_t} of the C libraries of Linux, a bit for each signal. */
    private static final int SET_BYTES = 128;
    /** Signals 32 and 33 are reserved by the C library. */
    private static final BigInteger OF_LIBRARY = BigInteger.ONE.shiftLeft(31).or(BigInteger.ONE.shiftLeft(32));

    private CleanSignals() {}

    /** Whether children of {@link #start} have the default signals: this process ignores none, and masks can be set. */
    static boolean suffice() {
        try {
            byte[] before = new byte[SET_BYTES];
            return ignored().filter(none -> none.signum() == 0).isPresent()
                    && mask(new byte[SET_BYTES], before)
                    && mask(before, new byte[SET_BYTES]);
        } catch (LinkageError noNativeCalls) {
            return false;
        }
    }

    /** Starts the program. A SIGQUIT that arrives in this thread is handled as in any other. */
    static Process start(ProcessBuilder builder) throws IOException {
        byte[] before = new byte[SET_BYTES];
        boolean clean = mask(new byte[SET_BYTES], before);
        try {
            return builder.start();
        } finally {
            if (clean && !mask(before, new byte[SET_BYTES])) {
                LOG.debug("the signals of this thread could not be blocked again");
            }
        }
    }

    private static Optional<BigInteger> ignored() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .map(line ->
                            new BigInteger(line.substring(line.indexOf(':') + 1).strip(), 16).andNot(OF_LIBRARY))
                    .findFirst();
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private static boolean mask(byte[] blocked, byte[] before) {
        return LibC.get().pthread_sigmask(SET_MASK, blocked, before) == 0;
    }
}
