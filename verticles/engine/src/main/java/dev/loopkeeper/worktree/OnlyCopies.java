package dev.loopkeeper.worktree;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds repositories in a worktree that would be lost with it, because they or some of their commits exist nowhere
 * else. When in doubt, a repository is reported. Blocking.
 */
record OnlyCopies(GitCalls calls, Commits commits) {
    private static final Logger LOG = LoggerFactory.getLogger(OnlyCopies.class);
    private static final String GIT = ".git";

    /**
     * A repository that would be lost.
     *
     * @param reason one line, e.g. {@code app is a repository of its own}
     */
    record OnlyCopy(Path folder, String reason) {}

    /**
     * Returns the repositories that would be lost.
     *
     * @param base a commit; a bare repository whose files it contains is not reported
     */
    List<OnlyCopy> in(Checkout checkout, String base) {
        return below(checkout, base, checkout.folder());
    }

    private List<OnlyCopy> below(Checkout checkout, String base, Path top) {
        List<OnlyCopy> found = new ArrayList<>();
        try {
            Files.walkFileTree(top, new Search(checkout, base, found));
        } catch (IOException unreadable) {
            found.add(
                    new OnlyCopy(top, "the folder cannot be searched for repositories: " + Folders.reason(unreadable)));
        }
        return found;
    }

    /**
     * Moves repositories out of the worktree that git would replace by a file.
     *
     * @param from a commit with the current content of the worktree
     * @param to the commit whose files git is about to write
     * @param target a folder that does not exist yet
     * @return the target, if a repository was moved
     */
    @CanIgnoreReturnValue
    Optional<Path> moveAside(Checkout checkout, String from, String to, Path target) {
        List<Path> inTheWay = commits.filesOf(checkout.folder(), "d", from, to).stream()
                .map(checkout.folder()::resolve)
                .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                .filter(path -> !below(checkout, to, path).isEmpty())
                .toList();
        for (Path folder : inTheWay) {
            Path kept = target.resolve(checkout.folder().relativize(folder));
            Folders.make(kept.getParent());
            Folders.move(folder, kept);
        }
        if (inTheWay.isEmpty()) {
            return Optional.empty();
        }
        LOG.warn("repositories in the way of {} in {} are kept in {}", to, checkout.folder(), target);
        return Optional.of(target);
    }

    /**
     * Returns why this folder would be lost with the worktree; empty where it is no repository, or has nothing unique.
     */
    Optional<String> reason(Checkout checkout, Path folder) {
        Path own = folder.resolve(GIT);
        if (!Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        String name = name(checkout, folder);
        if (NestedRepositories.pointed(folder)
                .filter(path -> path.startsWith(checkout.commonDir().resolve("worktrees"))
                        && !path.startsWith(checkout.gitDir()))
                .isPresent()) {
            return Optional.of(name + " is a worktree that was added to this repository");
        }
        return NestedRepositories.submodule(checkout, folder)
                .map(gitDir ->
                        NestedRepositories.with(calls, folder, gitDir, inside -> ofSubmodule(inside, folder, name)))
                .orElseGet(() -> Optional.of(name + " is a repository of its own"));
    }

    /** Without submodules of the submodule, which are found on their own. */
    private static Optional<String> ofSubmodule(GitCalls calls, Path folder, String name) {
        GitAnswer status = calls.ask(GitCall.in(
                folder, "status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"));
        if (!status.isGood() || status.bytes().length > 0) {
            return Optional.of("the submodule " + name + " has changes that are not committed");
        }
        GitAnswer unpushed = calls.ask(
                GitCall.in(folder, "rev-list", "--max-count=1", "--all", "--reflog", "HEAD", "--not", "--remotes"));
        return unpushed.isGood() && unpushed.bytes().length == 0
                ? Optional.empty()
                : Optional.of("the submodule " + name + " has commits that are on none of its remotes");
    }

    private static String name(Checkout checkout, Path folder) {
        String relative = checkout.folder().relativize(folder).toString();
        return GitNames.spelled(relative.getBytes(StandardCharsets.UTF_8));
    }

    private final class Search extends SimpleFileVisitor<Path> {
        private final Checkout checkout;
        private final String base;
        private final List<OnlyCopy> found;

        Search(Checkout checkout, String base, List<OnlyCopy> found) {
            this.checkout = checkout;
            this.base = base;
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) {
            if (folder.equals(checkout.folder())) {
                return FileVisitResult.CONTINUE;
            }
            if (folder.getFileName().toString().equals(GIT)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            Optional<String> reason = reason(checkout, folder);
            if (reason.isEmpty() && isBare(folder)) {
                reason = Optional.of(name(checkout, folder) + " is a bare repository");
            }
            reason.ifPresent(why -> found.add(new OnlyCopy(folder, why)));
            return reason.isPresent() ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        private boolean isBare(Path folder) {
            return Files.isRegularFile(folder.resolve("HEAD"))
                    && Files.isDirectory(folder.resolve("objects"))
                    && Files.isDirectory(folder.resolve("refs"))
                    && commits.object(
                                    checkout.folder(),
                                    base + ":" + checkout.folder().relativize(folder) + "/HEAD")
                            .isEmpty();
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
            found.add(new OnlyCopy(file, name(checkout, file) + " cannot be read"));
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException unreadable) {
            if (unreadable != null) {
                found.add(new OnlyCopy(folder, name(checkout, folder) + " cannot be read"));
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
