package dev.loopkeeper.scheduler;

import dev.loopkeeper.agent.AgentOutput;
import dev.loopkeeper.agent.AgentOutputReader;
import dev.loopkeeper.agent.AgentReport;
import dev.loopkeeper.agent.ExitFacts;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.StepReport;
import dev.loopkeeper.step.Usage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;

/** Reads the logs of one step as they grow. Blocking, and not for two threads at once. */
final class StepOutput {
    private static final int CHUNK = 1 << 16;
    /** Plain text is only looked at for the error it ends with. */
    private static final long TEXT_TAIL = 1 << 18;

    private final Path folder;
    private final AgentOutputReader reader;
    private final byte[] chunk = new byte[CHUNK];
    private long stdoutRead;
    private long stderrRead;

    StepOutput(Path folder, OutputDialect dialect) {
        this.folder = folder;
        this.reader = AgentOutput.reader(dialect);
    }

    /** Starts so near the end of the logs as plain text needs. */
    void skipToTail() throws IOException {
        stdoutRead = tailOf("stdout.log");
        stderrRead = tailOf("stderr.log");
    }

    private long tailOf(String log) throws IOException {
        Path path = folder.resolve(log);
        return Files.exists(path) ? Math.max(0, Files.size(path) - TEXT_TAIL) : 0;
    }

    /** Reads what has come since the last time; answers what the step is known to have used. */
    Usage usageSoFar() throws IOException {
        readOn();
        return reader.usageSoFar();
    }

    private void readOn() throws IOException {
        stdoutRead = feed("stdout.log", stdoutRead, reader::stdout);
        stderrRead = feed("stderr.log", stderrRead, reader::stderr);
    }

    private interface Ear {
        void hear(byte[] chunk, int offset, int length);
    }

    private long feed(String log, long from, Ear ear) throws IOException {
        Path path = folder.resolve(log);
        if (!Files.exists(path)) {
            return from;
        }
        long at = from;
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(from);
            for (int length = file.read(chunk); length > 0; length = file.read(chunk)) {
                ear.hear(chunk, 0, length);
                at += length;
            }
        }
        return at;
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
