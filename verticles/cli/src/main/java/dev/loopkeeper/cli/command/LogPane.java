package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.LogSelection;
import dev.loopkeeper.cli.session.LogSink;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.step.OneLine;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Follows both output streams of one step for a full screen, and keeps their newest lines. */
final class LogPane implements AutoCloseable {
    private static final LogSelection FOLLOWED = new LogSelection(true, OptionalLong.of(100));

    private final RunFacts facts;
    private final String runId;
    private final String stepId;
    private final Runnable news;
    private final End said = new End();
    private final End errors = new End();
    private final List<Thread> readers;

    /** Starts to read; other threads call {@code news} whenever there is more. */
    LogPane(RunFacts facts, String runId, String stepId, Runnable news) {
        this.facts = facts;
        this.runId = runId;
        this.stepId = stepId;
        this.news = news;
        this.readers = List.of(
                Session.daemon("loopkeeper-log-stdout", () -> read("stdout", said)),
                Session.daemon("loopkeeper-log-stderr", () -> read("stderr", errors)));
    }

    private void read(String stream, End end) {
        LogSink sink = new LogSink(new PrintStream(end, false, StandardCharsets.UTF_8), false, "");
        try {
            facts.log(runId, stepId, stream, FOLLOWED, sink);
        } catch (CommandFailure failed) {
            // Shows the server's message in place of the log.
            sink.accept((failed.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        sink.end();
    }

    boolean shows(String run, String step) {
        return runId.equals(run) && stepId.equals(step);
    }

    /** Returns the newest lines of stdout, then those of stderr. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(said.lines());
        errors.lines().forEach(line -> lines.add("[stderr] " + line));
        return lines;
    }

    @Override
    public void close() {
        readers.forEach(Thread::interrupt);
    }

    /** Keeps the end of the output, at least as much as a screen can show. */
    private final class End extends OutputStream {
        private static final int MOST = 1 << 17;

        private ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public void write(int letter) {
            write(new byte[] {(byte) letter}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            keep(bytes, from, count);
            news.run();
        }

        private synchronized void keep(byte[] bytes, int from, int count) {
            kept.write(bytes, from, count);
            if (kept.size() > 2 * MOST) {
                byte[] all = kept.toByteArray();
                kept = new ByteArrayOutputStream();
                kept.write(all, all.length - MOST, MOST);
            }
        }

        synchronized List<String> lines() {
            return kept.toString(StandardCharsets.UTF_8)
                    .lines()
                    .map(OneLine::readable)
                    .toList();
        }
    }
}
