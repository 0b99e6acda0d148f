package dev.loopkeeper.data;

import dev.loopkeeper.contract.NodeChannels.LogPart;
import dev.loopkeeper.manifest.OutputDialect;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** A log on this machine. For one request. */
final class LocalLog {
    private final StepFiles step;
    private final Path steps;
    private final Path file;
    private final LogFile log;
    private Optional<OutputDialect> output = Optional.empty();

    LocalLog(Path dataFolder, String runId, String stepId, String stream) {
        this.step = StepFiles.of(dataFolder, runId, stepId);
        this.steps = RunPaths.steps(dataFolder, runId);
        this.file = steps.resolve(stepId).resolve(LogFile.nameOf(stream));
        this.log = new LogFile(file.getParent(), stream);
    }

    LogPart part(long offset, int length) throws IOException {
        if (!exists()) {
            return part(new byte[0], offset, 0, 0);
        }
        LogFile.Part part = length == 0 ? new LogFile.Part(Buffer.buffer(), offset) : log.read(offset, length);
        return part(
                part.bytes().getBytes(), part.next(), log.size(), log.dropped().to());
    }

    private LogPart part(byte[] bytes, long next, long size, long begin) throws IOException {
        if (output.isEmpty()) {
            output = Optional.of(step.output());
        }
        return new LogPart(bytes, next, size, begin, Files.isDirectory(file.getParent()), output.get());
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
