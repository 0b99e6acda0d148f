package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentNotice;
import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.AgentReport;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.agent.OwnRetries;
import dev.loopkeeper.agent.SaidLine;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.data.LogCursor;
import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.EarlierSession;
import dev.loopkeeper.step.ReportedSession;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.StepSession;
import dev.loopkeeper.step.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the logs of one step as they grow. Blocking and not thread-safe. */
final class StepOutput {
    /**
     * The content of a running step's output so far.
     *
     * @param activity the newest line of what the agent says or does
     * @param lingers for how long the agent has done nothing since its final success record, if it should have exited
     */
    record SoFar(Usage usage, OwnRetries retries, Optional<String> activity, Optional<Duration> lingers) {
        static final SoFar NOTHING = new SoFar(Usage.UNKNOWN, OwnRetries.NONE, Optional.empty(), Optional.empty());
    }

    /** Plain text is only checked for the error at its end. */
    private static final long TEXT_TAIL = 1 << 18;

    private static final int ACTIVITY_TAIL = 1 << 14;

    /** File facts that show whether a log has changed, without opening it. */
    private record Facts(LogFile.Facts stdout, LogFile.Facts stderr) {}

    private final LogFile stdout;
    private final LogFile stderr;
    private final LogCursor stdoutCursor;
    private final LogCursor stderrCursor;
    private final AgentOutputReader reader;
    private final OutputDialect dialect;
    private final Optional<EarlierSession> continues;
    private final String host;
    private Optional<String> activity = Optional.empty();
    private final Lingering lingering;
    private volatile Optional<Facts> seen = Optional.empty();
    private volatile boolean succeeded;
    private volatile boolean truncated;
    private volatile List<AgentNotice> notices = List.of();

    /**
     * Creates the reader of a step that may continue an earlier session.
     *
     * @param host where the agent keeps its sessions
     */
    StepOutput(
            Path folder,
            OutputDialect dialect,
            AgentOutputReader reader,
            Lingering lingering,
            Optional<EarlierSession> continues,
            String host) {
        this.lingering = lingering;
        this.continues = continues;
        this.host = host;
        this.stdout = new LogFile(folder, "stdout");
        this.stdoutCursor = new LogCursor(stdout);
        this.stderr = new LogFile(folder, "stderr");
        this.stderrCursor = new LogCursor(stderr);
        this.dialect = dialect;
        this.reader = reader;
    }

    /** Skips to the part at the end of the logs that plain text requires. */
    void skipToTail() throws IOException {
        stdoutCursor.skipTo(TEXT_TAIL);
        stderrCursor.skipTo(TEXT_TAIL);
    }

    /** Whether {@link #soFar} may find anything new; callable from any thread. */
    boolean hasNews() throws IOException {
        return succeeded || !seen.equals(Optional.of(facts()));
    }

    private Facts facts() throws IOException {
        return new Facts(stdout.facts(), stderr.facts());
    }

    /** Reads what was printed since the last call. */
    SoFar soFar() throws IOException {
        Facts now = facts();
        long size = now.stdout().size();
        long before = seen.map(known -> known.stdout().size()).orElse(0L);
        if (size != before) {
            truncated |= size < before;
            activity = newest(size).or(() -> activity);
        }
        if (dialect == OutputDialect.TEXT) {
            seen = Optional.of(now);
            return new SoFar(Usage.UNKNOWN, OwnRetries.NONE, activity, Optional.empty());
        }
        readOn();
        seen = Optional.of(now);
        succeeded = reader.hasSucceeded();
        boolean lingers = lingering.isTooLong(succeeded, size, System.nanoTime());
        return new SoFar(
                reader.usageSoFar(),
                reader.retries(),
                activity,
                lingers ? Optional.of(lingering.limit()) : Optional.empty());
    }

    /** Returns the newest activity from a fixed part at the end of the output, to limit the cost of a read. */
    private Optional<String> newest(long size) throws IOException {
        long from = Math.max(0, size - ACTIVITY_TAIL);
        byte[] bytes = stdout.read(from, ACTIVITY_TAIL).bytes().getBytes();
        int start = from == 0 ? 0 : afterFirstLine(bytes);
        SaidLines lines = SaidLines.ofOutput(dialect, from + start);
        List<SaidLine> said = new ArrayList<>(lines.feed(bytes, start, bytes.length - start));
        said.addAll(lines.finish());
        return said.stream()
                .filter(line -> line.kind() != SaidLine.Kind.USAGE && line.kind() != SaidLine.Kind.RESULT)
                .reduce((first, second) -> second)
                .map(SaidLine::text);
    }

    private static int afterFirstLine(byte[] bytes) {
        int at = 0;
        while (at < bytes.length && bytes[at] != '\n') {
            at++;
        }
        return Math.min(bytes.length, at + 1);
    }

    private void readOn() throws IOException {
        stdoutCursor.read(reader::stdout);
        stderrCursor.read(reader::stderr);
        truncated |= stdoutCursor.isTruncated() || stderrCursor.isTruncated();
    }

    /** Whether its agent was observed to truncate a log; callable from any thread. */
    boolean isTruncated() {
        return truncated;
    }

    /** Returns further facts in the complete output; callable from any thread. */
    List<AgentNotice> notices() {
        return notices;
    }

    /** Returns the session that the output reports; else the one that the step continued. */
    private Optional<ReportedSession> session(AgentReport report) {
        Optional<String> id = report.sessionId().or(() -> continues.map(EarlierSession::id));
        return id.map(known -> new StepSession(known, continues.map(session -> session.stepId())))
                .map(session -> new ReportedSession(session, host, report.sessionTotals(), report.worked()));
    }

    /** Reads the rest and builds the report, once the process has ended. */
    StepReport finish(ExitFacts exit, Instant now) throws IOException {
        readOn();
        AgentReport report = reader.finish(exit, now, ZoneId.systemDefault());
        notices = reader.notices();
        return report.summary().withSession(session(report));
    }
}
