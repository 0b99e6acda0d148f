package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeException.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes lock files that a killed git left in our worktrees or on our refs. Each command does so for everything it may
 * write, since a git killed after its work leaves its locks too. If a git still works there, e.g. of an agent, this
 * waits for it.
 */
record StaleLocks(Duration patience) {
    private static final Logger LOG = LoggerFactory.getLogger(StaleLocks.class);
    private static final String LOCK = ".lock";

    /**
     * Removes the locks of a worktree, its branch and these refs. Fails with {@link Problem#LOCKED} when a git works
     * there for too long.
     */
    void remove(Checkout checkout, String branch, String... refs) {
        List<Path> locks = new ArrayList<>(List.of(
                checkout.gitDir().resolve("index.lock"),
                checkout.gitDir().resolve("HEAD.lock"),
                checkout.gitDir().resolve("ORIG_HEAD.lock"),
                ofRef(checkout.commonDir(), Refs.branch(branch))));
        for (String ref : refs) {
            locks.add(ofRef(checkout.commonDir(), ref));
        }
        remove(locks, List.of(checkout.folder(), checkout.gitDir()));
    }

    /**
     * Removes the locks of our refs, whether the refs exist or not.
     *
     * @param where working directories of the git processes that may write them
     */
    void removeOfRefs(Path common, List<Path> where, String... refs) {
        remove(Arrays.stream(refs).map(ref -> ofRef(common, ref)).toList(), where);
    }

    /** Removes the locks of all our refs with this prefix. */
    void removeOfRefsBelow(Path common, List<Path> where, String beginning) {
        Path from = common.resolve(beginning);
        if (!beginning.endsWith("/")) {
            from = from.getParent();
        }
        if (!Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> below = Files.walk(from)) {
            remove(
                    below.filter(path -> path.toString().startsWith(common + "/" + beginning)
                                    && path.toString().endsWith(LOCK))
                            .toList(),
                    where);
        } catch (UncheckedIOException unknown) {
            throw Folders.failure(from, "searched", unknown.getCause());
        } catch (IOException unknown) {
            throw Folders.failure(from, "searched", unknown);
        }
    }

    private static Path ofRef(Path common, String ref) {
        return common.resolve(ref + LOCK);
    }

    /** @param where working directories of the git processes, ours or an agent's, that may hold the locks */
    void remove(List<Path> locks, List<Path> where) {
        long start = System.nanoTime();
        for (Path lock : locks) {
            while (Folders.exists(lock) && isUsed(where)) {
                await(lock, start);
            }
            if (Folders.exists(lock)) {
                LOG.info("removed {}, which a killed git process left behind", lock);
                Folders.delete(lock);
            }
        }
    }

    /** Waits until no git works in these folders; a killed git of ours may have started one. */
    void awaitNoGit(List<Path> where) {
        long start = System.nanoTime();
        while (isUsed(where)) {
            await(where.get(0), start);
        }
    }

    private void await(Path what, long start) {
        MarkedProcesses.await(start, patience, what + " is in use by a running git process");
    }

    private static boolean isUsed(List<Path> where) {
        return !MarkedProcesses.find(process -> isGitIn(process, where)).isEmpty();
    }

    private static boolean isGitIn(Path process, List<Path> where) {
        try {
            if (!Files.readString(process.resolve("comm")).startsWith("git")) {
                return false;
            }
            Path folder = Files.readSymbolicLink(process.resolve("cwd"));
            return where.stream().anyMatch(path -> folder.startsWith(real(path)));
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException gone) {
            return path;
        }
    }
}
