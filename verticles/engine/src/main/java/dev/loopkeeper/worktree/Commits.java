package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.Changes;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.TreeChange;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads, compares and creates commits and refs. */
record Commits(GitCalls calls, StaleLocks locks) {
    /** Git's notation for a missing commit. */
    private static final String NONE = "";

    private static final String NAME = "Loopkeeper";
    private static final String ADDRESS = "loopkeeper@localhost";
    private static final int MOST_SEARCHED = 5_000;
    /** Line of diff-tree for a path that now links to a commit of another repository. */
    private static final Pattern TO_LINK = Pattern.compile(":[0-7]+ 160000 .*");

    /**
     * Result of a comparison with a head.
     *
     * @param changes for each requested commit, in order
     * @param links paths at which the head links to another repository, and the first commit did not
     */
    record Compared(String tree, List<Changes> changes, List<String> links) {}

    /** Resolves the name of a commit to its full hash. */
    Optional<String> resolve(Path folder, String name) {
        return calls.line(
                GitCall.in(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"));
    }

    /** Resolves a name that a person gave; where a branch and a tag have it, the branch is meant. */
    Optional<String> named(Path folder, String name) {
        return resolve(folder, "refs/heads/" + name).or(() -> resolve(folder, name));
    }

    /** Returns the type of the named object, e.g. {@code tree}; empty when it does not exist. */
    Optional<String> object(Path folder, String name) {
        GitAnswer answer = calls.ask(GitCall.in(folder, "cat-file", "-t", name));
        return answer.isGood() ? Optional.of(answer.text()) : Optional.empty();
    }

    String tree(Path folder, String commit) {
        return calls.good(GitCall.in(folder, "rev-parse", "--verify", commit + "^{tree}"))
                .text();
    }

    /** Whether the older commit is an ancestor of the newer one. */
    boolean isAncestor(Path folder, String older, String newer) {
        return calls.isYes(GitCall.in(folder, "merge-base", "--is-ancestor", older, newer));
    }

    /** Returns the tree of a commit and its differences from each of these, with one process. */
    Compared compare(Path folder, String head, String... from) {
        StringBuilder asked = new StringBuilder();
        for (String each : from) {
            // Git reads this as the parent of the head.
            asked.append(head).append(' ').append(each).append('\n');
        }
        GitCall call = GitCall.in(
                folder,
                "diff-tree",
                "--stdin",
                "-r",
                "--always",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                "--ignore-submodules=none",
                "--raw",
                "--numstat",
                "-z",
                "--format=%H %T");
        List<Changes> changes = new ArrayList<>();
        List<String> links = new ArrayList<>();
        String tree = "";
        Iterator<byte[]> fields =
                calls.good(call.given(asked.toString())).fields().iterator();
        while (fields.hasNext()) {
            String line = new String(fields.next(), StandardCharsets.ISO_8859_1).strip();
            if (line.startsWith(":")) {
                String path = new String(fields.next(), StandardCharsets.UTF_8);
                if (changes.size() == 1 && TO_LINK.matcher(line).matches()) {
                    links.add(path);
                }
            } else if (line.indexOf('\t') < 0) {
                tree = line.substring(line.indexOf(' ') + 1);
                changes.add(Changes.NONE);
            } else {
                changes.add(sum(changes.remove(changes.size() - 1), line));
            }
        }
        return new Compared(tree, changes, links);
    }

    private static Changes sum(Changes before, String line) {
        String[] parts = line.split("\t", 3);
        return new Changes(
                before.files() + 1, before.insertions() + lines(parts[0]), before.deletions() + lines(parts[1]));
    }

    /** Parses a line count; git prints a hyphen for a binary file. */
    static long lines(String count) {
        return "-".equals(count) ? 0 : Long.parseLong(count);
    }

    /**
     * Returns the paths of files in which the second commit differs from the first.
     *
     * @param filter of git: {@code d} for all files of the second commit, {@code A} for those that it adds
     */
    List<String> filesOf(Path folder, String filter, String from, String to) {
        GitCall call = GitCall.in(
                folder, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--diff-filter=" + filter, from, to);
        return TreeChange.read(calls.good(call)).stream()
                .filter(change -> !change.isToSubmodule())
                .map(change -> new String(change.name(), StandardCharsets.UTF_8))
                .toList();
    }

    /** Finds the newest commit after {@code from} whose message ends with these trailers, among others. */
    Optional<String> find(Path folder, String from, String head, List<String> trailers, String... options) {
        List<String> words = new ArrayList<>(
                List.of("rev-list", "--max-count=" + MOST_SEARCHED, "--no-commit-header", "--format=%H%n%B%x00"));
        words.addAll(List.of(options));
        words.addAll(List.of(head, "^" + from));
        for (byte[] field :
                calls.good(GitCall.in(folder, words.toArray(String[]::new))).fields()) {
            List<String> lines =
                    new String(field, StandardCharsets.UTF_8).strip().lines().toList();
            if (!lines.isEmpty() && lines.containsAll(trailers)) {
                return Optional.of(lines.get(0));
            }
        }
        return Optional.empty();
    }

    /** Creates a commit that no branch contains yet. */
    String make(Path folder, String tree, String message, String... parents) {
        List<String> words = new ArrayList<>(List.of("commit-tree", "-F", "-"));
        for (String parent : parents) {
            words.add("-p");
            words.add(parent);
        }
        words.add(tree);
        return calls.good(GitCall.in(folder, words.toArray(String[]::new))
                        .given(message)
                        .with(author(folder)))
                .text();
    }

    /** Updates our refs, all or none, each only if it has its expected value. */
    void update(Path folder, String... lines) {
        Path common = common(folder);
        locks.removeOfRefs(
                common,
                List.of(folder, common),
                Arrays.stream(lines).map(line -> line.split(" ", -1)[1]).toArray(String[]::new));
        GitCall call = GitCall.in(folder, "update-ref", "--stdin")
                .given("start\n" + String.join("\n", lines) + "\nprepare\ncommit\n");
        GitAnswer answer = calls.good(call);
        if (!answer.text().endsWith("commit: ok")) {
            // Git also succeeds when its input ends too early.
            throw GitCalls.failure(call, answer);
        }
    }

    /**
     * Removes our refs, all or none. Git locks the packed refs, which the user's git needs too. If git is killed and
     * leaves the lock, the mark identifies it as ours, see {@link #endDeletion}.
     *
     * @param mark file that exists during the deletion only
     */
    void delete(Path folder, Path mark, List<String> lines) {
        if (Folders.exists(mark.getParent())) {
            Folders.touch(mark);
        }
        update(folder, lines.toArray(String[]::new));
        Folders.delete(mark);
    }

    /** Cleans up after a deletion that a crash may have interrupted. */
    void endDeletion(Path folder, Path mark) {
        if (Folders.exists(mark)) {
            Path common = common(folder);
            locks.remove(
                    List.of(common.resolve("packed-refs.lock"), common.resolve("packed-refs.new")),
                    List.of(folder, common));
            Folders.delete(mark);
        }
    }

    /** Returns the common git directory of a checkout. */
    Path common(Path folder) {
        Path own = folder.resolve(".git");
        if (Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
            return own;
        }
        return Checkout.find(folder)
                .map(Checkout::commonDir)
                .orElseGet(() -> folder.resolve(calls.good(GitCall.in(folder, "rev-parse", "--git-common-dir"))
                                .text())
                        .normalize());
    }

    /**
     * Removes the locks of a killed git on these refs of ours, existing or not, and returns the common git directory.
     */
    @CanIgnoreReturnValue
    Path tidied(Folders folders, WorktreeLocation location, String... refs) {
        Path common = common(location.repository());
        endDeletion(location.repository(), folders.deleting(location.runId()));
        locks.removeOfRefs(common, List.of(folders.of(location), location.repository(), common), refs);
        return common;
    }

    /** Returns the commit of this ref. */
    Optional<String> ref(Path folder, String name) {
        return calls.line(GitCall.in(folder, "rev-parse", "--verify", "--quiet", name));
    }

    /** Returns the author of commits, where the git configuration sets none. A person may set one at any time. */
    Map<String, String> author(Path folder) {
        String all = calls.line(
                        GitCall.in(folder, "config", "-z", "--get-regexp", "^(user|author|committer)\\.(name|email)$"))
                .orElse("");
        Map<String, String> known = new HashMap<>();
        for (String field : all.split("\0", -1)) {
            String[] parts = field.split("\n", 2);
            known.put(parts[0], parts.length > 1 ? parts[1] : NONE);
        }
        Map<String, String> missing = new HashMap<>();
        for (String role : List.of("author", "committer")) {
            String variable = "GIT_" + role.toUpperCase(Locale.ROOT);
            if (isOpen(known, role, "name")) {
                missing.put(variable + "_NAME", NAME);
            }
            if (isOpen(known, role, "email")) {
                missing.put(variable + "_EMAIL", ADDRESS);
            }
        }
        return missing;
    }

    private static boolean isOpen(Map<String, String> known, String role, String what) {
        return known.getOrDefault("user." + what, NONE).isBlank()
                && known.getOrDefault(role + "." + what, NONE).isBlank();
    }

    /** Shortens a text to one line for a subject or a trailer. */
    static String oneLine(String text, int most) {
        String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return line.substring(0, line.offsetByCodePoints(0, Math.min(most, line.codePointCount(0, line.length()))));
    }

    /** Builds a message of a subject and trailers. */
    static String message(String subject, List<String> trailers) {
        return oneLine(subject, 120) + "\n\n" + String.join("\n", trailers) + "\n";
    }

    static String trailer(String name, String value) {
        return "Loopkeeper-" + name + ": " + oneLine(value, 200);
    }
}
