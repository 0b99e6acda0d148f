package dev.loopkeeper.submit;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.manifest.read.ManifestProblem;
import dev.loopkeeper.manifest.read.SourceMap;
import dev.loopkeeper.rules.WorktreeNames;
import dev.loopkeeper.step.Wording;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks that a repository is usable for a run with a worktree of its own, and collects warnings. */
record RepositoryCheck(Function<CheckWorkspace, Future<CheckedWorkspace>> git) {
    /** Branch names are checked for an invented run; a conflict of the real name is reported when the run is created. */
    private static final String ANY_RUN = "a-run";

    private static final Pattern PATTERN = Pattern.compile("[*?\\[{]");

    /** Returns the submission with warnings added, or refused. */
    Future<Submission> check(Submission submission, SourceMap sources) {
        if (!(submission instanceof Submission.Accepted accepted)
                || accepted.manifest().isolation().isEmpty()) {
            return Future.succeededFuture(submission);
        }
        CheckWorkspace question = question(accepted);
        return git.apply(question)
                .map(checked -> withWarnings(accepted, checked, sources))
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

    private static ManifestProblem absent(Submission.Accepted accepted, String path) {
        int index = accepted.manifest().isolation().orElseThrow().copy().indexOf(path);
        return ManifestProblem.at(
                "isolation.copy[" + index + "]",
                Wording.quoted(path) + " is not in " + accepted.workspace() + ", so worktrees are created without it; "
                        + (PATTERN.matcher(path).find()
                                ? "patterns are not expanded: name each path"
                                : "correct the path, or create it before the run"));
    }

    private static Submission withWarnings(Submission.Accepted accepted, CheckedWorkspace checked, SourceMap sources) {
        List<ManifestProblem> warnings = new ArrayList<>(accepted.warnings());
        Stream.concat(
                        checked.notes().stream().map(note -> ManifestProblem.at("isolation.git", note)),
                        checked.absent().stream().map(path -> absent(accepted, path)))
                .forEach(problem -> warnings.add(problem.located(sources)));
        return new Submission.Accepted(
                accepted.document(), accepted.manifest(), accepted.workspace(), accepted.baseDir(), warnings);
    }
}
