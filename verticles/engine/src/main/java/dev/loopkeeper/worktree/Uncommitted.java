package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import dev.loopkeeper.git.TreeChange;
import dev.loopkeeper.step.ProtectedFiles;
import dev.loopkeeper.worktree.NestedRepositories.Link;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds, adds and saves changes that are in no commit. Blocking. */
record Uncommitted(GitCalls calls, Commits commits) {
    /** Excludes the files that Loopkeeper and its agents exchange, which are not part of the work. */
    private static final String WITHOUT_OURS = ":(exclude,glob)**/.loopkeeper/**";

    private static final Pattern REPOSITORY_WITHOUT_COMMIT =
            Pattern.compile("'(.+?)/?' does not have a commit checked out");

    /** Length of the status before a name. */
    private static final int STATUS = 3;

    /** Length of the flag before a name. */
    private static final int FLAG = 2;

    /** Characters of lines for one call; a further line with a name of at most 4,096 bytes still fits. */
    private static final int MOST_NAMES = GitCall.MOST_INPUT / 4;

    /** Whether {@link #add} would find changes, also those that index flags hide. */
    boolean isUnclean(Checkout checkout) {
        reveal(checkout.folder());
        GitCall call = GitCall.in(
                        checkout.folder(),
                        "status",
                        "--porcelain=v1",
                        "-z",
                        "--no-renames",
                        "--untracked-files=normal",
                        "--ignore-submodules=dirty",
                        "--",
                        ".",
                        WITHOUT_OURS)
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"));
        return calls.good(call).bytes().length > 0;
    }

    /** Returns the tracked files of a user's checkout with changes, as git prints names. Writes nothing. */
    List<String> tracked(Path checkout) {
        GitCall call = GitCall.in(checkout, "status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames")
                .with(Map.of("GIT_OPTIONAL_LOCKS", "0"));
        return calls.good(call).fields().stream()
                .map(field -> GitNames.spelled(Arrays.copyOfRange(field, Math.min(STATUS, field.length), field.length)))
                .toList();
    }

    /**
     * Creates a commit without a ref, on top of the head, with all uncommitted changes, also those that index flags hide.
     * Empty where there are none.
     */
    Optional<String> save(Path folder, String head, String subject, String runId) {
        reveal(folder);
        add(folder);
        String tree = calls.good(GitCall.in(folder, "write-tree")).text();
        if (tree.equals(commits.tree(folder, head))) {
            return Optional.empty();
        }
        String message = Commits.message(subject, List.of(Commits.trailer("Run", runId)));
        return Optional.of(commits.make(folder, tree, message, head));
    }

    /**
     * Clears the index flags that hide changes from git: {@code assume-unchanged} and {@code skip-worktree}. In a sparse
     * checkout the latter marks files that are absent, and git clears it itself for others.
     */
    private void reveal(Path folder) {
        List<String> entries = calls.good(GitCall.in(folder, "ls-files", "-v", "-z")).fields().stream()
                .filter(entry -> entry[0] == 'S' || Character.isLowerCase(entry[0]))
                .map(entry -> new String(entry, StandardCharsets.UTF_8))
                .toList();
        clear(folder, "--no-assume-unchanged", entries, entry -> Character.isLowerCase(entry.charAt(0)));
        boolean sparse = !entries.isEmpty()
                && calls.line(GitCall.in(folder, "config", "--type=bool", "core.sparseCheckout"))
                        .filter("true"::equals)
                        .isPresent();
        clear(folder, "--no-skip-worktree", entries, entry -> !sparse && Character.toUpperCase(entry.charAt(0)) == 'S');
    }

    private void clear(Path folder, String option, List<String> entries, Predicate<String> flagged) {
        update(
                folder,
                entries.stream()
                        .filter(flagged)
                        .map(entry -> entry.substring(FLAG))
                        .toList(),
                option,
                "--stdin");
    }

    private void update(Path folder, List<String> lines, String... options) {
        String[] words = Stream.concat(Stream.of("update-index", "-z"), Stream.of(options))
                .toArray(String[]::new);
        StringBuilder some = new StringBuilder();
        for (int at = 0; at < lines.size(); at++) {
            some.append(lines.get(at)).append('\0');
            if (some.length() > MOST_NAMES || at == lines.size() - 1) {
                calls.good(GitCall.in(folder, words).given(some.toString()));
                some.setLength(0);
            }
        }
    }

    private static GitCall adding(Path folder, String names, String... options) {
        List<String> words =
                new ArrayList<>(List.of("add", "--all", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"));
        words.addAll(List.of(options));
        return GitCall.in(folder, words.toArray(String[]::new)).given(names);
    }

    /**
     * Returns what to add: not the repositories whose commit is the recorded one. Git would compare the files in them by
     * filters that their settings name, which an agent can write.
     */
    private String names(Path folder) {
        List<String> names = new ArrayList<>(List.of(".", WITHOUT_OURS));
        List<Link> links = NestedRepositories.links(calls, folder);
        if (!links.isEmpty()) {
            GitCall call = GitCall.in(folder, "diff-files", "-z", "--name-only", "--ignore-submodules=dirty");
            Set<String> moved = calls.good(call).fields().stream()
                    .map(field -> new String(field, StandardCharsets.ISO_8859_1))
                    .collect(Collectors.toSet());
            links.stream()
                    .filter(link -> !moved.contains(link.name()) && link.mayBeIn(folder))
                    .map(link -> ":(exclude,literal)" + link.text())
                    .forEach(names::add);
        }
        String all = String.join("\0", names);
        if (all.getBytes(StandardCharsets.UTF_8).length > GitCall.MOST_INPUT || all.indexOf(Link.UNKNOWN) >= 0) {
            throw NestedRepositories.refused(folder);
        }
        return all;
    }

    /**
     * Adds all changes to the index. Returns the repositories without a commit, which git cannot record; everything else
     * is still added.
     */
    @CanIgnoreReturnValue
    List<String> add(Path folder) {
        String names = names(folder);
        GitCall call = adding(folder, names);
        GitAnswer answer = calls.ask(call);
        boolean incomplete =
                REPOSITORY_WITHOUT_COMMIT.matcher(answer.complaint()).find();
        if (incomplete) {
            call = adding(folder, names, "--ignore-errors");
            answer = calls.ask(call);
        }
        if (answer.exit() > (incomplete ? 1 : 0)) {
            throw GitCalls.failure(call, answer);
        }
        return REPOSITORY_WITHOUT_COMMIT
                .matcher(answer.complaint())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Sets the protected files back in the index that only the index has otherwise than a commit, not the folder. */
    void keep(Path folder, String from, ProtectedFiles files) {
        if (files.isEmpty()) {
            return;
        }
        List<String> entries = new ArrayList<>();
        try {
            for (TreeChange change : TreeChange.read(
                    calls.good(GitCall.in(folder, "diff-index", "--cached", "--no-renames", "-z", from, "--")))) {
                String name = new String(change.name(), StandardCharsets.UTF_8);
                boolean kept = change.status().equals("D")
                        ? Folders.hasFile(folder, name)
                        : change.isHidden(folder.resolve(name));
                if (kept && files.cover(name)) {
                    entries.add(change.mode() + " " + change.hash() + "\t" + name);
                }
            }
        } catch (IOException unreadable) {
            throw Folders.failure(folder, "read", unreadable);
        }
        update(folder, entries, "--index-info");
    }

    /** Whether something was added since the head. */
    boolean isAdded(Checkout checkout) {
        return !calls.isYes(GitCall.in(
                checkout.folder(), "diff-index", "--cached", "--quiet", "--ignore-submodules=dirty", "HEAD", "--"));
    }
}
