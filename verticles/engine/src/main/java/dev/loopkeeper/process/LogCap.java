package dev.loopkeeper.process;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.step.DroppedBytes;
import dev.loopkeeper.step.LogLimit;
import dev.loopkeeper.work.SingleFlight;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits the logs of steps while they grow. */
final class LogCap {
    private static final Logger LOG = LoggerFactory.getLogger(LogCap.class);

    private final WorkerExecutor workers;
    private final LogLimit limit;
    /** Steps whose file system has no holes: logged once and not tried again. */
    private final Set<Path> unable = ConcurrentHashMap.newKeySet();
    /** Steps whose limit failed: logged once and tried again. */
    private final Set<Path> failing = ConcurrentHashMap.newKeySet();

    private final SingleFlight<Void> looks = new SingleFlight<>(this::look);
    private List<StepFolder> steps = List.of();

    LogCap(WorkerExecutor workers, LogLimit limit) {
        this.workers = workers;
        this.limit = limit;
    }

    /** Checks the logs of these steps, one check at a time. From one context only. */
    Future<Void> look(List<StepFolder> growing) {
        steps = growing;
        Set<Path> folders = growing.stream().map(StepFolder::path).collect(Collectors.toSet());
        unable.retainAll(folders);
        failing.retainAll(folders);
        return growing.isEmpty() || limit.equals(LogLimit.NONE) ? Future.succeededFuture() : looks.join();
    }

    private Future<Void> look() {
        List<StepFolder> now = steps;
        return workers.executeBlocking(
                () -> {
                    now.forEach(this::hold);
                    return null;
                },
                false);
    }

    /** Drops the excess of one step's logs. Blocking. */
    void hold(StepFolder step) {
        if (unable.contains(step.path())) {
            return;
        }
        LogFile stdout = new LogFile(step.path(), "stdout");
        LogFile stderr = new LogFile(step.path(), "stderr");
        try {
            hold(stdout, stderr);
            hold(stderr, stdout);
            failing.remove(step.path());
        } catch (LogFile.NoHolesException refused) {
            unable.add(step.path());
            LOG.warn("the log limit of {} cannot be applied: {}", step.path(), refused.getMessage());
        } catch (IOException failure) {
            if (failing.add(step.path())) {
                LOG.warn("the log limit of {} could not be applied, retrying: {}", step.path(), failure.toString());
            }
        }
    }

    private void hold(LogFile log, LogFile other) throws IOException {
        long size = log.size();
        // The usual case: no note is read.
        if (size <= limit.bytes() / 2) {
            return;
        }
        Optional<DroppedBytes> gone =
                limit.drop(size, log.dropped(), other.size() - other.dropped().count());
        if (gone.isPresent()) {
            log.drop(gone.get());
        }
    }
}
