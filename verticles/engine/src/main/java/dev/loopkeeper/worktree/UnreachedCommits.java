package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.worktree.WorktreeException;
import dev.loopkeeper.contract.worktree.WorktreeException.Problem;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps commits reachable that only a worktree knows of, by its own log of HEAD or refs: those of an agent that was on no
 * branch, or that replaced a commit of its own. Git removes both with the worktree. Blocking.
 */
final class UnreachedCommits {
    /** More do not fit in what git is given at once. */
    private static final int MOST_NEWEST = 1_400;

    private static final List<String> OF_WORKTREES = List.of("refs/worktree", "refs/bisect", "refs/rewritten");
    private static final int SHORT = 12;

    private final Calls calls;
    private final Commits commits;

    UnreachedCommits(Calls calls, Commits commits) {
        this.calls = calls;
        this.commits = commits;
    }

    /** As {@code refs/loopkeeper/<runId>/undone/left-<hash>}, the newest one of each line of commits. */
    void keep(Checkout checkout, String runId) {
        Set<String> known = known(checkout);
        if (known.isEmpty()) {
            return;
        }
        List<String> ofWorktrees =
                OF_WORKTREES.stream().map(refs -> refs + "/*").toList();
        for (String tip : unreached(checkout.folder(), known, ofWorktrees)) {
            String ref = Refs.undone(runId, "left-" + tip.substring(0, SHORT));
            commits.update(checkout.folder(), "update " + ref + " " + tip);
        }
    }

    /** Those of these commits, and of the ones before them, that no ref keeps; the newest one of each line of commits. */
    Set<String> tips(Path repository, Set<String> known, List<String> exceptRefs) {
        known.removeIf(String::isEmpty);
        return known.isEmpty() ? Set.of() : unreached(repository, known, exceptRefs);
    }

    /** What the worktree's log of HEAD and its own refs name. */
    Set<String> known(Checkout checkout) {
        Set<String> known = new LinkedHashSet<>(newest(checkout.gitDir().resolve("logs/HEAD")));
        String refs = calls.good(GitCall.in(
                        checkout.folder(),
                        "for-each-ref",
                        "--format=%(objectname)",
                        OF_WORKTREES.get(0),
                        OF_WORKTREES.get(1),
                        OF_WORKTREES.get(2)))
                .text();
        refs.lines().forEach(known::add);
        return known;
    }

    /** Each line is {@code <old hash> <new hash> <who and when>}. */
    private static List<String> newest(Path log) {
        try {
            List<String> hashes = Files.readAllLines(log, StandardCharsets.ISO_8859_1).stream()
                    .map(line -> line.split(" ", 3))
                    .filter(parts -> parts.length > 1)
                    .map(parts -> parts[1])
                    .distinct()
                    .toList();
            return hashes.subList(Math.max(0, hashes.size() - MOST_NEWEST), hashes.size());
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException unreadable) {
            throw new WorktreeException(Problem.DISK, log + " cannot be read: " + unreadable);
        }
    }

    /** HEADs of other worktrees keep nothing: those may be removed, too. */
    private Set<String> unreached(Path folder, Set<String> known, List<String> exceptRefs) {
        List<String> words = new ArrayList<>(
                List.of("rev-list", "--parents", "--ignore-missing", "--single-worktree", "--stdin", "--not"));
        exceptRefs.forEach(ref -> words.add("--exclude=" + ref));
        words.add("--all");
        GitCall call = GitCall.in(folder, words.toArray(String[]::new)).given(String.join("\n", known) + "\n");
        GitAnswer answer = calls.good(call);
        Set<String> tips = new LinkedHashSet<>();
        Set<String> parents = new LinkedHashSet<>();
        answer.text().lines().forEach(line -> {
            String[] commit = line.split(" ", -1);
            tips.add(commit[0]);
            parents.addAll(List.of(commit).subList(1, commit.length));
        });
        tips.removeAll(parents);
        return tips;
    }
}
