package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MessagePrinterTest {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Test
    void whatIsSaidIsSaidWhenItReturns() {
        MessagePrinter printer = new MessagePrinter(Duration.ofMinutes(1));
        printer.say(() -> lines.add("one"));
        printer.say(() -> lines.add("two"));

        assertThat(lines).containsExactly("one", "two");
    }

    /** On a busy machine it began after a second, and a command ended without its message. */
    @Test
    @Timeout(120)
    void aThreadThatBeginsLateIsWaitedFor() {
        Duration patience = Duration.ofMillis(1);
        AtomicBoolean begun = new AtomicBoolean();
        MessagePrinter printer = new MessagePrinter(patience, words -> {
            long made = System.nanoTime();
            return new Thread(() -> {
                Awaitility.await()
                        .until(() -> System.nanoTime() - made
                                > patience.multipliedBy(50).toNanos());
                begun.set(true);
                words.run();
            });
        });
        printer.say(() -> lines.add("late"));

        assertThat(begun).isTrue();
    }

    @Test
    @Timeout(120)
    void anUnreadOutputIsBufferedAndPrintedInOrder() {
        CountDownLatch reader = new CountDownLatch(1);
        MessagePrinter printer = new MessagePrinter(Duration.ofMillis(1));
        printer.say(() -> {
            await(reader);
            lines.add("one");
        });
        printer.say(() -> lines.add("two"));

        assertThat(lines).isEmpty();
        reader.countDown();
        Awaitility.await().untilAsserted(() -> assertThat(lines).containsExactly("one", "two"));
    }

    /** It waited a minute for each of them. */
    @Test
    @Timeout(120)
    void aMessageAfterTheLimitDoesNotWait() {
        CountDownLatch reader = new CountDownLatch(1);
        MessagePrinter printer = new MessagePrinter(Duration.ofSeconds(1));
        printer.say(() -> await(reader));
        for (int message = 0; message < 200; message++) {
            printer.say(() -> lines.add("more"));
        }

        assertThat(lines).isEmpty();
        reader.countDown();
        Awaitility.await().until(() -> lines.size() == 200);
    }

    /** It ended below a stack trace, and what it was about was not said. */
    @Test
    void withoutAThreadItIsSaidAtOnceAndOnce() {
        AtomicBoolean none = new AtomicBoolean(true);
        MessagePrinter printer = new MessagePrinter(Duration.ofMinutes(1), words -> {
            if (none.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(words);
        });
        printer.say(() -> lines.add("one"));
        none.set(false);
        printer.say(() -> lines.add("two"));

        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void whatBreaksIsNotKeptSecret() {
        MessagePrinter printer = new MessagePrinter(Duration.ofMinutes(1));

        assertThatThrownBy(() -> printer.say(() -> {
                    throw new IllegalArgumentException("no words");
                }))
                .hasRootCauseMessage("no words");
    }

    private static void await(CountDownLatch reader) {
        try {
            reader.await();
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
        }
    }
}
