package dev.loopkeeper.worktree;

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
 * Keeps commits reachable that only a worktree's HEAD log or own refs refer to, e.g. commits of an agent without a
 * branch, or ones it replaced. Git removes both with the worktree. Blocking.
 */
record UnreachedCommits(GitCalls calls, Commits commits) {
    /** Most commits that fit on one command line of git. */
    private static final int MOST_NEWEST = 1_400;

    private static final List<String> OF_WORKTREES = List.of("refs/worktree", "refs/bisect", "refs/rewritten");
    private static final int SHORT = 12;

    /**
     * Creates a ref {@code refs/loopkeeper/<runId>/undone/left-<hash>} for the newest commit of each line of commits.
     */
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

    /** Returns those of these commits and their ancestors that no ref reaches, reduced to the newest of each line. */
    Set<String> tips(Path repository, Set<String> known, List<String> exceptRefs) {
        known.removeIf(String::isEmpty);
        return known.isEmpty() ? Set.of() : unreached(repository, known, exceptRefs);
    }

    /** Returns the commits that the worktree's HEAD log and its own refs refer to. */
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

    /** Reads the log; each line is {@code <old hash> <new hash> <who and when>}. */
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
            throw Folders.failure(log, "read", unreadable);
        }
    }

    /** Returns the unreachable commits; HEADs of other worktrees do not count, since those may be removed too. */
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
