package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.AgentReport;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.process.LogFile;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.Usage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongConsumer;

/** Reads the logs of one step as they grow. Blocking, and not for two threads at once. */
final class StepOutput {
    private static final int CHUNK = 1 << 16;
    /** Plain text is only looked at for the error it ends with. */
    private static final long TEXT_TAIL = 1 << 18;

    private final LogFile stdout;
    private final LogFile stderr;
    private final AgentOutputReader reader;
    private long stdoutRead;
    private long stderrRead;

    StepOutput(Path folder, AgentOutputReader reader) {
        this.stdout = new LogFile(folder, "stdout");
        this.stderr = new LogFile(folder, "stderr");
        this.reader = reader;
    }

    /** Starts so near the end of the logs as plain text needs. */
    void skipToTail() throws IOException {
        stdoutRead = Math.max(0, stdout.size() - TEXT_TAIL);
        stderrRead = Math.max(0, stderr.size() - TEXT_TAIL);
    }

    /** Reads what has come since the last time; answers what the step is known to have used. */
    Usage usageSoFar() throws IOException {
        readOn();
        return reader.usageSoFar();
    }

    /** What was fed once is not fed again, also when reading on fails in the middle. */
    private void readOn() throws IOException {
        feed(stdout, stdoutRead, reader::stdout, read -> stdoutRead = read);
        feed(stderr, stderrRead, reader::stderr, read -> stderrRead = read);
    }

    private interface Ear {
        void hear(byte[] chunk, int offset, int length);
    }

    private static void feed(LogFile log, long from, Ear ear, LongConsumer readTo) throws IOException {
        LogFile.Part part = log.read(from, CHUNK);
        while (part.bytes().length() > 0) {
            readTo.accept(part.next());
            ear.hear(part.bytes().getBytes(), 0, part.bytes().length());
            part = log.read(part.next(), CHUNK);
        }
        readTo.accept(part.next());
    }

    /** The last word, once the process is gone. */
    StepReport finish(ExitFacts exit, Instant now) throws IOException {
        readOn();
        AgentReport report = reader.finish(exit, now, ZoneId.systemDefault());
        return new StepReport(
                report.termination(),
                report.usage(),
                report.deliverable(),
                report.error(),
                report.resumeAt(),
                report.errorDiagnostic(),
                report.sessionId());
    }
}
