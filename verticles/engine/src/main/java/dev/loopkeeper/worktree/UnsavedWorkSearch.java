package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.FindUnsavedWork;
import dev.loopkeeper.contract.WorktreeChannels.UnsavedWork;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.worktree.Registrations.Registered;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds work that would be lost with a run: uncommitted changes, and commits that no ref reaches once the run is
 * removed. When in doubt, work is reported. Changes nothing. Blocking.
 */
record UnsavedWorkSearch(
        GitCalls calls,
        Folders folders,
        Uncommitted uncommitted,
        WorkspaceChecks checks,
        Registrations registrations,
        OnlyCopies onlyCopies,
        UnreachedCommits unreached) {
    private static final Pattern PUT_ASIDE = Pattern.compile("\\..+\\.lost-\\d+");
    private static final int SHORT = 12;

    UnsavedWork find(FindUnsavedWork question) {
        Path run = folders.run(question.runId());
        List<String> findings = new ArrayList<>();
        Folders.list(run).stream()
                .filter(path -> PUT_ASIDE.matcher(path.getFileName().toString()).matches())
                .forEach(path -> findings.add(path + " has files that were set aside; save the files that you need"));
        Set<Path> unknown = worktreesIn(run);
        if (question.origin().isEmpty()) {
            unknown.forEach(folder -> findings.add("the run's record does not name the repository of " + folder));
            return new UnsavedWork(findings);
        }
        try {
            Path repository = checks.check(question.origin().get()).repository();
            inRepository(question.runId(), repository, unknown, findings);
        } catch (WorktreeException unanswered) {
            unknown.forEach(folder ->
                    findings.add("git cannot list the content of " + folder + " (" + unanswered.getMessage() + ")"));
            return new UnsavedWork(findings);
        }
        unknown.forEach(folder -> findings.add(folder + " is no longer a worktree of its repository"));
        return new UnsavedWork(findings);
    }

    /** Returns the worktrees in the folder of the run, whether git knows them or not. */
    private static Set<Path> worktreesIn(Path run) {
        Set<Path> found = new LinkedHashSet<>(Folders.list(run.resolve(Removals.ATTEMPTS)));
        Stream.of(run.resolve("worktree"))
                .filter(folder -> !Folders.isKnownAbsent(folder))
                .forEach(found::add);
        return found;
    }

    /** Checks the worktrees that git knows and removes them from {@code unknown}. */
    private void inRepository(String runId, Path repository, Set<Path> unknown, List<String> findings) {
        Set<String> tips = new LinkedHashSet<>();
        for (Registered registered : registrations.list(repository)) {
            Path folder = registered.folder().orElse(repository);
            if (folder.startsWith(folders.run(runId))) {
                tips.add(registered.head());
                if (!Folders.isKnownAbsent(folder)) {
                    inWorktree(folder, tips, findings);
                }
                unknown.remove(folder);
            }
        }
        tips.addAll(refsThatGo(runId, repository));
        List<String> going = List.of(left(runId), Refs.branch(Refs.items(runId)) + "/*");
        for (String tip : unreached.tips(repository, tips, going)) {
            findings.add("commit " + tip.substring(0, SHORT) + " is on no branch; keep it with: git -C "
                    + WorkspaceChecks.quoted(repository) + " branch NAME " + tip.substring(0, SHORT));
        }
    }

    private void inWorktree(Path folder, Set<String> tips, List<String> findings) {
        try {
            Checkout checkout = Checkout.at(folder);
            onlyCopies.in(checkout, "HEAD").forEach(copy -> findings.add(folder + ": " + copy.reason()));
            checkout.locked().ifPresent(reason -> findings.add(folder + ": " + reason));
            if (uncommitted.isUnclean(checkout)) {
                String git = "git -C " + WorkspaceChecks.quoted(folder);
                findings.add(folder + " has uncommitted changes; keep them with: " + git + " add --all && " + git
                        + " commit");
            }
            tips.addAll(unreached.known(checkout));
        } catch (WorktreeException unanswered) {
            findings.add("git cannot list the content of " + folder + " (" + unanswered.getMessage() + ")");
        }
    }

    /** Returns the refs removed with the run: saved commits without a branch, and branches of unfinished attempts. */
    private Set<String> refsThatGo(String runId, Path repository) {
        GitCall call = GitCall.in(
                repository, "for-each-ref", "--format=%(objectname)", left(runId), Refs.branch(Refs.items(runId)));
        return new LinkedHashSet<>(calls.good(call).text().lines().toList());
    }

    /** Returns the prefix of saved commits. Commits that the run itself undid or rejected are not protected. */
    private static String left(String runId) {
        return Refs.undone(runId, "left-") + "*";
    }
}
