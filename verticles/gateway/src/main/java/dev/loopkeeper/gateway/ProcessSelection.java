package dev.loopkeeper.gateway;

import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.gateway.http.Problem;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.view.Run;
import io.vertx.core.Future;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects processes by run and workspace.
 *
 * @param run only processes of this run
 * @param workspace only processes of runs in this workspace
 */
record ProcessSelection(Optional<String> run, Optional<Path> workspace) {
    /** @param workspace an absolute path */
    static ProcessSelection of(Optional<String> run, Optional<String> workspace) {
        return new ProcessSelection(run, workspace.map(ProcessSelection::folder));
    }

    private static Path folder(String text) {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException noPath) {
            throw Problem.invalidAt("workspace", "must be a path, was " + noPath.getInput());
        }
        throw Problem.invalidAt("workspace", "must be an absolute path");
    }

    /** Returns whether it selects a run or a workspace. */
    boolean named() {
        return run.isPresent() || workspace.isPresent();
    }

    /** Returns the selected runs. Fails if the workspace of a run cannot be read, because unknown is not different. */
    Future<Set<String>> among(SchedulerClient scheduler, Set<String> runIds) {
        List<String> asked = runIds.stream()
                .filter(id -> run.isEmpty() || run.get().equals(id))
                .toList();
        if (workspace.isEmpty()) {
            return Future.succeededFuture(Set.copyOf(asked));
        }
        List<Future<Optional<String>>> matches =
                asked.stream().map(id -> inWorkspace(scheduler, id)).toList();
        return Future.join(matches)
                .map(all -> matches.stream()
                        .flatMap(match -> match.result().stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private Future<Optional<String>> inWorkspace(SchedulerClient scheduler, String runId) {
        return scheduler
                .request(RunChannels.GET, new GetRun(runId))
                .compose(answer -> answer.refusal()
                                .filter(refusal -> refusal.code() == RefusalCode.NOT_FOUND)
                                .isPresent()
                        ? Future.succeededFuture(Optional.<String>empty())
                        : SchedulerClient.unlessRefused(answer)
                                .map(found -> found.as(Run.class).workspace()))
                .map(found -> found.filter(text -> Path.of(text).normalize().equals(workspace.get()))
                        .map(same -> runId));
    }
}
