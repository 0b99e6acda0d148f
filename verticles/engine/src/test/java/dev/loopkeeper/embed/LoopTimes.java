package dev.loopkeeper.embed;

import io.vertx.core.impl.VertxThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Finds tasks that keep an event loop for long. Unlike the checker of Vert.x it counts the processor time of the thread, so
 * that a busy machine and garbage collections do not matter.
 */
final class LoopTimes implements AutoCloseable {
    private static final long SAMPLE_NANOS = 2_000_000;
    private static final int FRAMES = 40;

    private record Task(long startedAt, long cpuBefore) {}

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long most;
    private final Map<Long, Task> tasks = new HashMap<>();
    private final List<String> tooLong = new CopyOnWriteArrayList<>();
    private final Thread sampler = new Thread(this::sample, "loop-times");
    private volatile boolean closed;

    LoopTimes(Duration most) {
        this.most = most.toNanos();
        sampler.setDaemon(true);
        sampler.start();
    }

    /** Where each task was that took longer. */
    List<String> tooLong() {
        return tooLong;
    }

    private void sample() {
        Thread[] all = new Thread[1000];
        while (!closed) {
            int count = Thread.enumerate(all);
            for (int index = 0; index < count; index++) {
                if (all[index] instanceof VertxThread loop && !loop.isWorker()) {
                    look(loop);
                }
            }
            LockSupport.parkNanos(SAMPLE_NANOS);
        }
    }

    private void look(VertxThread loop) {
        long startedAt = loop.startTime();
        long cpu = threads.getThreadCpuTime(loop.getId());
        Task task = tasks.get(loop.getId());
        if (task == null || task.startedAt() != startedAt) {
            tasks.put(loop.getId(), new Task(startedAt, cpu));
        } else if (startedAt != 0 && cpu - task.cpuBefore() > most) {
            tooLong.add(Arrays.stream(loop.getStackTrace())
                    .limit(FRAMES)
                    .map(StackTraceElement::toString)
                    .collect(Collectors.joining("\n  ", loop.getName() + "\n  ", "")));
            tasks.put(loop.getId(), new Task(startedAt, cpu));
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
