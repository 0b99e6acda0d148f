package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That no caller that logs waits for a reader. */
@Timeout(120)
class ErrorStreamTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Takes nothing until it is read, as a full pipe. */
    private static final class Pipe extends OutputStream {
        final CountDownLatch read = new CountDownLatch(1);
        final CountDownLatch written = new CountDownLatch(1);
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            written.countDown();
            try {
                read.await();
            } catch (InterruptedException ended) {
                throw new IOException(ended);
            }
            synchronized (taken) {
                taken.write(bytes, from, length);
            }
        }

        String text() {
            synchronized (taken) {
                return taken.toString(StandardCharsets.UTF_8);
            }
        }
    }

    private final Pipe pipe = new Pipe();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void writesInTheBackgroundInOrder() throws Exception {
        ErrorStream errors = new ErrorStream(pipe, 1000);
        errors.writeInBackground();
        errors.writeInBackground();
        for (int line = 0; line < 10; line++) {
            errors.write(bytes("line " + line + "\n"));
        }
        errors.drain(Duration.ofMillis(1));
        assertThat(pipe.text()).isEmpty();

        pipe.read.countDown();
        errors.drain(SOON);
        assertThat(pipe.text().lines()).hasSize(10).first().isEqualTo("line 0");
        assertThat(pipe.text()).endsWith("line 9\n");
    }

    @Test
    void omitsLinesOnlyWhileTheQueueIsFull() throws Exception {
        ErrorStream errors = new ErrorStream(pipe, 10);
        errors.writeInBackground();
        errors.write(bytes("first\n"));
        pipe.written.await();
        errors.write(bytes("abc\n"));
        errors.write(bytes("lost\n"));

        pipe.read.countDown();
        errors.drain(SOON);
        errors.write(bytes("again\n"));
        errors.drain(SOON);
        assertThat(pipe.text()).isEqualTo("first\nabc\nagain\n");
    }

    @Test
    void directlyEachLineIsThereAtOnce() throws Exception {
        pipe.read.countDown();
        ErrorStream errors = new ErrorStream(pipe, 1);
        errors.write(bytes("a message"));
        assertThat(pipe.text()).isEqualTo("a message");
        errors.drain(SOON);
    }

    /** After a full disk nothing was logged any more until the next start. */
    @Test
    void linesAreWrittenAgainOnceTheDiskTakesThem() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        pipe.read.countDown();
        ErrorStream errors = new ErrorStream(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        if (full.get()) {
                            throw new IOException("No space left on device");
                        }
                        pipe.write(one);
                    }
                },
                100);
        errors.writeInBackground();
        errors.write(bytes("lost\n"));
        errors.drain(SOON);
        full.set(false);
        errors.write(bytes("again\n"));
        errors.drain(SOON);

        assertThat(pipe.text()).isEqualTo("again\n");
    }

    @Test
    void oneThatIsClosedIsNotWaitedFor() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        ErrorStream errors = new ErrorStream(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        tried.countDown();
                        throw new IOException("broken pipe");
                    }
                },
                100);
        errors.writeInBackground();
        errors.write(bytes("x"));
        tried.await();
        await().untilAsserted(() -> {
            errors.write(bytes("y"));
            errors.drain(SOON);
        });
    }
}
