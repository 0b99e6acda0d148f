package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.DiffCommits;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PruneRun;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.step.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done with worktrees, and in whatever order: what is the person's stays as it is, byte for byte. */
class UntouchedCheckoutTest {
    private static final int OPERATIONS = Integer.getInteger("loopkeeper.test.sacredOperations", 40);
    private static final long SEED = Long.getLong("loopkeeper.seed", 14);

    @TempDir
    private Path folder;

    private Sample sample;
    private Path second;

    @Test
    void thePersonsCheckoutIsNeverTouched() throws IOException {
        prepare();
        Map<String, String> before = persons();
        Random random = new Random(SEED);
        List<WorktreeLocation> locations = List.of(sample.location(), sample.item("f1", 1), sample.item("f2", 1));
        List<String> done = new ArrayList<>();
        for (int operation = 0; operation < OPERATIONS; operation++) {
            String kind = operate(random, locations.get(random.nextInt(locations.size())));
            done.add(kind);
            assertThat(persons())
                    .as("operation %d: %s, seed %d", operation, kind, SEED)
                    .isEqualTo(before);
        }
        assertThat(done.stream().filter(kind -> !kind.endsWith("refused")).distinct())
                .hasSizeGreaterThan(6);
        assertThat(Sample.git(sample.repository, "status", "--porcelain=v1"))
                .isEqualTo("M  a.txt\n M sub/b.txt\n?? mine");
    }

    /** A checkout in the midst of work: something staged, something not, a stash, hooks, and a worktree of its own. */
    private void prepare() throws IOException {
        sample = new Sample(folder);
        Path repository = sample.repository;
        second = repository.resolveSibling("second");
        Sample.git(repository, "worktree", "add", "--quiet", "-b", "feature", second.toString());
        Sample.write(second, "a.txt", "half done\n");
        Sample.write(repository, "a.txt", "stashed\n");
        Sample.git(repository, "stash", "push", "--quiet");
        for (String hook :
                List.of("pre-commit", "post-checkout", "post-commit", "reference-transaction", "post-merge")) {
            Path file = Sample.write(
                    repository,
                    ".git/hooks/" + hook,
                    "#!/bin/sh\necho " + hook + " >> \"" + folder.toRealPath().resolve("hooked") + "\"\nexit 1\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Sample.write(repository, "a.txt", "staged\n");
        Sample.git(repository, "add", "a.txt");
        Sample.write(repository, "sub/b.txt", "not staged\n");
        Sample.write(repository, "mine", "not tracked\n");
        Sample.write(repository, "ignored/output", "built\n");
        Sample.git(repository, "status");
    }

    private String operate(Random random, WorktreeLocation location) throws IOException {
        Worktrees worktrees = sample.worktrees();
        String base = Sample.git(sample.repository, "rev-parse", "main");
        Path worktree = new Folders(sample.data).of(location);
        String kind = "";
        try {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> {
                    kind = "prepare";
                    worktrees.prepare(Sample.prepare(location, base, "ignored"));
                }
                case 3, 4 -> {
                    kind = "commit";
                    change(random, worktree);
                    worktrees.commit(Sample.commit(location, base, base, "s" + random.nextInt(100)));
                }
                case 5 -> {
                    kind = "reset";
                    change(random, worktree);
                    worktrees.reset(new ResetWorktree(location, base, "u" + random.nextInt(5)));
                }
                case 6, 7 -> {
                    kind = "merge";
                    worktrees.merge(new MergeItem(
                            sample.location(), base, sample.item("f1", 1), "f1", random.nextInt(3), false));
                }
                case 8 -> {
                    kind = "finish";
                    boolean item = !location.equals(sample.location());
                    worktrees.finish(new FinishWorktree(location, random.nextBoolean(), item));
                }
                case 9 -> {
                    kind = "look";
                    worktrees.check(new CheckWorkspace(sample.repository, "HEAD"));
                    worktrees.diff(new DiffCommits(sample.repository, "main", location.branch(), 1000));
                }
                case 10 -> {
                    kind = "prune";
                    worktrees.prune(new PruneRun(Sample.RUN, sample.repository));
                    Sample.git(
                            sample.repository,
                            "update-ref",
                            "-d",
                            "refs/heads/" + sample.location().branch());
                }
                default -> {
                    kind = "break";
                    breakIt(random, worktree);
                }
            }
        } catch (WorktreeException | AssertionError refused) {
            return kind + " refused";
        }
        return kind;
    }

    private static void change(Random random, Path worktree) throws IOException {
        if (Files.isDirectory(worktree)) {
            Sample.write(worktree, "a.txt", "line " + random.nextInt(5) + "\n");
            Sample.write(worktree, "new-" + random.nextInt(5), random.nextInt() + "\n");
            Sample.write(worktree, "ignored/output", "built anew\n");
            Files.deleteIfExists(worktree.resolve("sub/b.txt"));
        }
    }

    /** As an agent, a person or a crash may do. */
    private static void breakIt(Random random, Path worktree) throws IOException {
        Path pointer = worktree.resolve(".git");
        if (!Files.exists(pointer)) {
            return;
        }
        switch (random.nextInt(3)) {
            case 0 -> Files.delete(pointer);
            case 1 -> Folders.delete(worktree);
            default -> Files.write(Checkout.at(worktree).gitDir().resolve("index.lock"), new byte[0]);
        }
    }

    /** All that is the person's, by name. */
    private Map<String, String> persons() throws IOException {
        Map<String, String> found = new TreeMap<>();
        Path git = sample.repository.resolve(".git");
        for (String own : List.of(
                "index",
                "HEAD",
                "config",
                "packed-refs",
                "ORIG_HEAD",
                "MERGE_HEAD",
                "info",
                "hooks",
                "refs/heads/main",
                "refs/heads/feature",
                "refs/stash",
                "refs/tags",
                "logs/HEAD",
                "logs/refs/stash",
                "logs/refs/heads/main",
                "logs/refs/heads/feature")) {
            collect(git, git.resolve(own), found);
        }
        Path ofSecond = git.resolve("worktrees/second");
        collect(git, ofSecond, found);
        collect(sample.repository, sample.repository, found);
        collect(second, second, found);
        found.put("hooked", Files.exists(folder.resolve("hooked")) ? "ran" : "did not run");
        return found;
    }

    private static void collect(Path root, Path from, Map<String, String> into) throws IOException {
        if (!Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
            into.put(root.relativize(from).toString(), "absent");
            return;
        }
        try (Stream<Path> all = Files.walk(from)) {
            all.filter(path -> !path.startsWith(root.resolve(".git"))
                            || from.startsWith(root.resolve(".git"))
                            || root.endsWith(".git"))
                    .forEach(path -> into.put(root.getFileName() + ":" + root.relativize(path), facts(path)));
        }
    }

    private static String facts(Path path) {
        try {
            Map<String, Object> facts =
                    Files.readAttributes(path, "unix:mode,ino,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            String content =
                    Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) ? Sha256.hex(Files.readAllBytes(path)) : "";
            return facts + content;
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
