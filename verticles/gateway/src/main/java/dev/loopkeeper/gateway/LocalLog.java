package dev.loopkeeper.gateway;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.data.StepFiles;
import dev.loopkeeper.manifest.OutputDialect;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * {@code <data>/runs/<runId>/steps/<stepId>/<stream>.log} or {@code prompt.md} on this machine. A small prompt of a step that
 * is over is in the step's summary.
 */
final class LocalLog implements LogSource {
    private final StepFiles step;
    private final Path steps;
    private final Path file;
    private final LogFile log;

    /** Requires validated names. */
    LocalLog(Path dataFolder, String runId, String stepId, String stream) {
        this.step = StepFiles.of(dataFolder, runId, stepId);
        this.steps = RunPaths.steps(dataFolder, runId);
        this.file = steps.resolve(stepId).resolve(LogFile.nameOf(stream));
        this.log = new LogFile(file.getParent(), stream);
    }

    @Override
    public OutputDialect output() throws IOException {
        return step.output();
    }

    @Override
    public long size() throws IOException {
        return exists() ? log.size() : summarised().length;
    }

    @Override
    public long begin() throws IOException {
        return exists() ? log.dropped().to() : 0;
    }

    @Override
    public LogFile.Part read(long offset, int length) throws IOException {
        if (exists()) {
            return log.read(offset, length);
        }
        byte[] all = summarised();
        int from = (int) Math.min(offset, all.length);
        int end = from + Math.min(length, all.length - from);
        return new LogFile.Part(Buffer.buffer().appendBytes(all, from, end - from), Math.max(offset, end));
    }

    private byte[] summarised() throws IOException {
        return step.summarised(file.getFileName().toString()).orElseGet(() -> new byte[0]);
    }

    @Override
    public boolean hasFolder() {
        return Files.isDirectory(file.getParent());
    }

    /** Ignores a link out of the run's folder, which an agent may have created. */
    private boolean exists() throws IOException {
        try {
            return file.toRealPath().startsWith(steps.toRealPath()) && Files.isRegularFile(file);
        } catch (NoSuchFileException notYet) {
            return false;
        }
    }
}
