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
 * The error stream of the process, which can write on a thread of its own. A pipe that is not read is full after 64 KiB
 * and would then block every writer, even an event loop. Lines that exceed the buffer are dropped; their number is
 * logged once the stream accepts data again. Safe to use from any thread.
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
    private boolean inBackground;
    private boolean writing;

    /** @param most how many bytes are buffered at most while a thread of its own writes */
    ErrorStream(OutputStream target, int most) {
        this.target = target;
        this.most = most;
    }

    /** Returns the error stream of this process. */
    public static ErrorStream system() {
        return SYSTEM;
    }

    /** Starts the thread that writes; from now on no writer waits for the reader. */
    public synchronized void writeInBackground() {
        if (!inBackground) {
            inBackground = true;
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
            if (inBackground) {
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

    /** Waits until everything is written, one second at most. */
    public void finish() {
        try {
            drain(PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until everything is written, {@code patience} at most. */
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
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Writes a text and returns whether that succeeded. A full disk may accept the next lines; a closed stream fails at
     * once.
     */
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
            // The logger is created only here: a short command does not need one.
            LoggerFactory.getLogger(ErrorStream.class)
                    .warn("{} lines are missing here, because nothing read the error stream", missing);
        }
    }
}
