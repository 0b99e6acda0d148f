package dev.loopkeeper.cli.print;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The error stream. Written to aside, it keeps nobody waiting: a pipe that nobody reads is full after 64 KiB, and whoever
 * writes to it then stands still, an event loop too. What does not fit is left out, and how much that was is logged once
 * there is room again. Safe to use from any thread.
 */
public final class ErrorStream extends OutputStream {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int MOST_BYTES = 1 << 20;
    private static final ErrorStream SYSTEM = new ErrorStream(new FileOutputStream(FileDescriptor.err), MOST_BYTES);

    private final OutputStream target;
    private final int most;
    private final Deque<byte[]> held = new ArrayDeque<>();
    private int heldBytes;
    private long lost;
    private boolean aside;
    private boolean writing;

    /** @param most how many bytes wait at most when it is written to aside */
    ErrorStream(OutputStream target, int most) {
        this.target = target;
        this.most = most;
    }

    /** That of this process. */
    public static ErrorStream system() {
        return SYSTEM;
    }

    /** From now on nobody who writes waits for who reads. */
    public synchronized void aside() {
        if (!aside) {
            aside = true;
            Thread thread = new Thread(this::writeOn, "loopkeeper-log");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        synchronized (this) {
            if (aside) {
                hold(Arrays.copyOfRange(bytes, from, from + length));
                return;
            }
        }
        target.write(bytes, from, length);
    }

    private void hold(byte[] text) {
        if (heldBytes + text.length > most) {
            lost++;
        } else {
            held.add(text);
            heldBytes += text.length;
            notifyAll();
        }
    }

    /** Waits until all is written, for a second at most. */
    public void finish() {
        try {
            drain(PATIENCE);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for so long at most until all is written. */
    synchronized void drain(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (writing || !held.isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }

    private void writeOn() {
        try {
            while (true) {
                byte[] text = next();
                reportLost(text.length, writeOut(text));
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers whether it is written. A full disk takes the next lines again, and one that is closed refuses at once. */
    private boolean writeOut(byte[] text) {
        try {
            target.write(text);
            return true;
        } catch (IOException | RuntimeException | Error refused) {
            return false;
        }
    }

    private synchronized byte[] next() throws InterruptedException {
        while (held.isEmpty()) {
            wait();
        }
        writing = true;
        return held.remove();
    }

    private void reportLost(int length, boolean written) {
        long missing;
        synchronized (this) {
            writing = false;
            heldBytes -= length;
            lost += written ? 0 : 1;
            missing = written && held.isEmpty() ? lost : 0;
            lost -= missing;
            notifyAll();
        }
        if (missing > 0) {
            // Not before: a short command needs no log.
            LoggerFactory.getLogger(ErrorStream.class)
                    .warn("lines that are missing here, since the error stream did not take them: {}", missing);
        }
    }
}
