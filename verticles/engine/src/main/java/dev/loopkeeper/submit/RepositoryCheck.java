package dev.loopkeeper.submit;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourceMap;
import dev.loopkeeper.rules.WorktreeNames;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Checks that a repository is usable for a run with a worktree of its own, and collects warnings. */
final class RepositoryCheck {
    /** Branch names are checked for an invented run; a conflict of the real name is reported when the run is created. */
    private static final String ANY_RUN = "a-run";

    private final Function<CheckWorkspace, Future<CheckedWorkspace>> git;

    RepositoryCheck(Function<CheckWorkspace, Future<CheckedWorkspace>> git) {
        this.git = git;
    }

    /** Returns the submission with warnings added, or refused. */
    Future<Submission> check(Submission submission, SourceMap sources) {
        if (!(submission instanceof Submission.Accepted accepted)
                || accepted.manifest().isolation().isEmpty()) {
            return Future.succeededFuture(submission);
        }
        CheckWorkspace question = question(accepted);
        return git.apply(question)
                .map(checked -> withWarnings(accepted, checked.notes(), sources))
                .recover(cause -> cause instanceof WorktreeException failure
                        ? Future.succeededFuture(new Submission.Refused(
                                List.of(ManifestProblem.at(failure.manifestPath(), failure.getMessage())
                                        .located(sources))))
                        : Future.failedFuture(cause));
    }

    private static CheckWorkspace question(Submission.Accepted accepted) {
        return new CheckWorkspace(
                Path.of(accepted.workspace()),
                accepted.manifest().isolation().orElseThrow().base(),
                Optional.of(new CheckWorkspace.NewRun(
                        WorktreeNames.branches(accepted.manifest(), ANY_RUN),
                        accepted.manifest().isolation().orElseThrow().copy())));
    }

    private static Submission withWarnings(Submission.Accepted accepted, List<String> notes, SourceMap sources) {
        List<ManifestProblem> warnings = new ArrayList<>(accepted.warnings());
        notes.forEach(
                note -> warnings.add(ManifestProblem.at("isolation.git", note).located(sources)));
        return new Submission.Accepted(
                accepted.document(), accepted.manifest(), accepted.workspace(), accepted.baseDir(), warnings);
    }
}
