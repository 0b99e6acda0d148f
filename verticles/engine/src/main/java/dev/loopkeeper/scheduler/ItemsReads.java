package dev.loopkeeper.scheduler;

import dev.loopkeeper.data.RunPaths;
import dev.loopkeeper.manifest.ItemSpec;
import dev.loopkeeper.manifest.read.ItemsReading;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.rules.message.RunCommand;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.step.StepWorktree;
import dev.loopkeeper.submit.ItemsFiles;
import dev.loopkeeper.work.Instants;
import dev.loopkeeper.work.TransientFailure;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the items files of phases that are about to begin. Used from one context only. */
final class ItemsReads {
    private static final Logger LOG = LoggerFactory.getLogger(ItemsReads.class);
    /** Most problems in one message. */
    private static final int MOST_PROBLEMS = 3;

    private final WorkerExecutor workers;
    private final GitRequests git;
    private final Path data;
    /** Runs whose items file is being read; a run waits for one file at a time. */
    private final Set<String> inProgress = new HashSet<>();

    ItemsReads(WorkerExecutor workers, GitRequests git, Path data) {
        this.workers = workers;
        this.git = git;
        this.data = data;
    }

    /** @param answer receives the items, or why they cannot be read; not called where the runtime ends first */
    void read(RunState run, RunCommand.ReadItems command, Consumer<RunInput> answer) {
        if (!inProgress.add(run.runId())) {
            return;
        }
        Path baseDir = Path.of(run.plan().baseDir());
        prepared(run.runId(), command)
                .compose(ready -> workers.executeBlocking(() -> read(run.runId(), baseDir, command), false))
                .onComplete(over -> inProgress.remove(run.runId()))
                .onSuccess(answer::accept)
                .onFailure(cause -> {
                    if (TransientFailure.isShutdown(cause)) {
                        LOG.debug("run {}: reading its items is left to the next runtime", run.runId());
                    } else {
                        answer.accept(failed(command, cause.getMessage()));
                    }
                });
    }

    private Future<Void> prepared(String runId, RunCommand.ReadItems command) {
        return command.worktree().isEmpty()
                ? Future.succeededFuture()
                : git.prepare(runId, command.worktree().get()).mapEmpty();
    }

    private RunInput.ItemsRead read(String runId, Path baseDir, RunCommand.ReadItems command) throws IOException {
        Path named = baseDir.resolve(command.file()).normalize();
        Optional<Path> inWorktree = command.worktree().flatMap(worktree -> inWorktree(runId, named, worktree));
        Path file = inWorktree
                .filter(there -> Files.exists(there) || !command.first())
                .orElse(named);
        ItemsReading reading = ItemsFiles.read(file);
        if (reading instanceof ItemsReading.Invalid invalid) {
            return failed(
                    command,
                    invalid.problems().stream()
                            .limit(MOST_PROBLEMS)
                            .map(problem -> text(file, problem))
                            .collect(Collectors.joining("; ")));
        }
        List<ItemSpec> items = ((ItemsReading.Valid) reading).items();
        return new RunInput.ItemsRead(Instants.now(), command.phase(), items, Optional.empty());
    }

    private static String text(Path file, ManifestProblem problem) {
        return problem.text(file.toString());
    }

    /** Returns the file's path in the run's worktree; empty where the file is outside the repository. */
    private Optional<Path> inWorktree(String runId, Path file, StepWorktree worktree) {
        Path repository = Path.of(worktree.repository());
        Path real = real(file);
        return real.startsWith(repository)
                ? Optional.of(
                        RunPaths.run(data, runId).resolve(worktree.folder()).resolve(repository.relativize(real)))
                : Optional.empty();
    }

    /** Resolves symbolic links in the part of the path that exists. */
    private static Path real(Path file) {
        Path existing = file.getParent();
        while (existing != null) {
            try {
                return existing.toRealPath().resolve(existing.relativize(file));
            } catch (IOException absent) {
                existing = existing.getParent();
            }
        }
        return file;
    }

    private static RunInput.ItemsRead failed(RunCommand.ReadItems command, String problem) {
        return new RunInput.ItemsRead(Instants.now(), command.phase(), List.of(), Optional.of(problem));
    }
}
