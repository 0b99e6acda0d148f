package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.data.FolderRemoval;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Repositories inside a worktree. Agents can write their settings, which may name programs, e.g. filters, so git runs in
 * them without these settings. Blocking.
 */
final class NestedRepositories {
    /** What a git folder has beside its settings and what belongs to one checkout. */
    private static final List<String> WITHOUT_SETTINGS =
            List.of("objects", "refs", "packed-refs", "logs", "info", "shallow");

    /** Git writes only new names into these, or nothing; submodules are checked on their own. */
    private static final Set<String> UNCHECKED = Set.of("objects", "hooks", "modules");

    private static final int PART_BYTES = 1 << 20;
    private static final int MOST_LINKS = 10_000;
    private static final String LINK = "160000 ";

    private NestedRepositories() {}

    /**
     * A repository that an index records.
     *
     * @param name relative, one character for a byte
     * @param commit that is recorded
     */
    record Link(String name, String commit) {
        /** In place of bytes that are not UTF-8. */
        static final char UNKNOWN = '\uFFFD';

        /** From a line such as {@code 160000 HASH 0}, a tab and the name. */
        private static Link of(String entry) {
            return new Link(entry.substring(entry.indexOf('\t') + 1), entry.split(" ", 3)[1]);
        }

        /** Returns the name in UTF-8, as git takes names from its input. */
        String text() {
            return new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }

        /** Whether there is a repository in this folder, or its name cannot be looked up. */
        boolean mayBeIn(Path folder) {
            return text().indexOf(UNKNOWN) >= 0
                    || !Folders.isKnownAbsent(folder.resolve(text()).resolve(".git"));
        }
    }

    /** Returns the repositories that the index of this folder records, however long it is. Fails for too many. */
    static List<Link> links(GitCalls calls, Path folder) {
        List<Link> links = new ArrayList<>();
        try (GitOutput output = calls.open(GitCall.in(folder, "ls-files", "--stage", "-z"))) {
            String rest = "";
            byte[] part;
            do {
                part = GitCalls.read(output, PART_BYTES);
                String[] entries = (rest + new String(part, StandardCharsets.ISO_8859_1)).split("\0", -1);
                rest = entries[entries.length - 1];
                for (int at = 0; at < entries.length - 1; at++) {
                    if (entries[at].startsWith(LINK)) {
                        links.add(Link.of(entries[at]));
                    }
                }
                if (links.size() > MOST_LINKS) {
                    throw refused(folder);
                }
            } while (part.length == PART_BYTES);
        }
        return links;
    }

    static WorktreeException refused(Path folder) {
        return new WorktreeException(
                Problem.FAILED,
                "git records repositories in " + folder
                        + " whose names are too many or not in UTF-8; remove them with git rm --cached");
    }

    /** Runs git in the repository of this folder. Its settings are not read; all else is there, and is written. */
    static <T> T with(GitCalls calls, Path folder, Path gitDir, Function<GitCalls, T> work) {
        try {
            Path plain = Files.createTempDirectory("loopkeeper");
            try {
                for (String name : WITHOUT_SETTINGS) {
                    Path unused = Files.createSymbolicLink(plain.resolve(name), gitDir.resolve(name));
                }
                Map<String, String> environment = new HashMap<>(calls.mark());
                environment.put("GIT_DIR", gitDir.toString());
                environment.put("GIT_COMMON_DIR", plain.toString());
                environment.put("GIT_WORK_TREE", folder.toString());
                return work.apply(new GitCalls(calls.git(), environment, calls.running()));
            } finally {
                FolderRemoval.remove(plain);
            }
        } catch (IOException refused) {
            throw Folders.failure(gitDir, "read", refused);
        }
    }

    /** What is done in a submodule, for which this commit is recorded. */
    interface Work {
        void in(GitCalls inside, Path folder, String commit);
    }

    /** Does this in each submodule that was fetched into the worktree, also in submodules of submodules. */
    static void eachSubmodule(GitCalls calls, Checkout checkout, Path folder, Work work) {
        for (Link link : links(calls, folder)) {
            Path nested = folder.resolve(link.text());
            Optional<Path> gitDir = isBelow(nested, folder) ? submodule(checkout, nested) : Optional.empty();
            if (gitDir.isPresent()) {
                Object unused = with(calls, nested, gitDir.get(), inside -> {
                    work.in(inside, nested, link.commit());
                    eachSubmodule(inside, checkout, nested, work);
                    return nested;
                });
            }
        }
    }

    /** Whether no link leads there, by which submodules could contain themselves. */
    private static boolean isBelow(Path nested, Path folder) {
        try {
            return nested.toRealPath().equals(folder.toRealPath().resolve(folder.relativize(nested)));
        } catch (IOException absent) {
            return false;
        }
    }

    /** Returns the git folder to which the file {@code .git} of this folder points. */
    static Optional<Path> pointed(Path folder) {
        return Checkout.read(folder.resolve(".git"))
                .filter(text -> text.startsWith(Checkout.POINTER))
                .map(text -> folder.resolve(text.substring(Checkout.POINTER.length()))
                        .normalize());
    }

    /** Returns the git folder of a submodule; empty for any other folder. */
    static Optional<Path> submodule(Checkout checkout, Path folder) {
        return pointed(folder)
                .filter(path -> path.startsWith(checkout.gitDir().resolve("modules"))
                        || path.startsWith(checkout.commonDir().resolve("modules")))
                .filter(path -> !leadsElsewhere(path));
    }

    /** Whether git, which follows links, may write elsewhere than in this git folder. Only agents make such links. */
    static boolean leadsElsewhere(Path gitDir) {
        try {
            AtomicBoolean found = new AtomicBoolean();
            Path unused = Files.walkFileTree(gitDir, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) {
                    return UNCHECKED.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
                    found.compareAndSet(false, facts.isSymbolicLink());
                    return found.get() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
                }
            });
            return found.get();
        } catch (IOException unreadable) {
            return true;
        }
    }
}
