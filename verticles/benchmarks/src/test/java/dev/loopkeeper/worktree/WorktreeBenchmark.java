package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import dev.loopkeeper.git.GitException;
import dev.loopkeeper.git.GitProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A commit after a step that changed five files, beside {@code git add --all} and {@code git commit} as a person types
 * them, and the same with syncs, by turns in one repository. {@code mvn -Pbench test} runs it.
 */
class WorktreeBenchmark {
    private static final int ROUNDS = Integer.getInteger("loopkeeper.bench.rounds", 15);
    private static final int CHANGED = 5;
    private static final int IN_FOLDER = 50;

    @TempDir
    private Path folder;

    private static final class Counting extends GitProgram {
        private int calls;

        Counting() {
            super("git");
        }

        @Override
        public GitAnswer run(GitCall call, Consumer<ProcessHandle> started) throws GitException {
            calls++;
            return super.run(call, started);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 50_000})
    void measuresCommitsAgainstBareGit(int files) throws Exception {
        Sample sample = new Sample(folder);
        for (int file = 0; file < files; file++) {
            Sample.write(sample.repository, name(file), "line\n".repeat(100) + file);
        }
        String base = Sample.commitAll(sample.repository, "many");
        Counting git = new Counting();
        Worktrees worktrees = new Worktrees(sample.data, git);
        WorktreeLocation location = sample.location();
        Path worktree = worktrees.prepare(Sample.prepare(location, base)).worktree();
        String head = base;
        List<Double> bare = new ArrayList<>();
        List<Double> synced = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        long[] ticks = new long[3];
        int processes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            change(worktree, files, "bare " + round);
            ticks[0] -= childTicks();
            bare.add(plain(worktree, false));
            ticks[0] += childTicks();
            change(worktree, files, "synced " + round);
            ticks[1] -= childTicks();
            synced.add(plain(worktree, true));
            ticks[1] += childTicks();
            head = Sample.git(worktree, "rev-parse", "HEAD");
            change(worktree, files, "ours " + round);
            git.calls = 0;
            ticks[2] -= childTicks();
            long start = System.nanoTime();
            StepCommitted done = worktrees.commit(Sample.commit(location, head, base, "s" + round));
            ours.add((System.nanoTime() - start) / 1e6);
            ticks[2] += childTicks();
            processes = git.calls;
            assertThat(done.changes().files()).isEqualTo(CHANGED);
        }
        System.out.printf(
                Locale.ROOT,
                "%d files, %d changed, median of %d: bare add and commit %.1f ms; the same with syncs %.1f ms;"
                        + " ours %.1f ms in %d processes, %.2f of bare, %.2f of bare with syncs; the least %.2f and %.2f;"
                        + " processor time of git %.2f of bare, %.2f of bare with syncs%n",
                files,
                CHANGED,
                ROUNDS,
                median(bare),
                median(synced),
                median(ours),
                processes,
                median(ours) / median(bare),
                median(ours) / median(synced),
                least(ours) / least(bare),
                least(ours) / least(synced),
                (double) ticks[2] / ticks[0],
                (double) ticks[2] / ticks[1]);
    }

    /** Processor time of all children that ended, in ticks of the machine: what counts where others work, too. */
    private static long childTicks() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[13]) + Long.parseLong(fields[14]);
    }

    private static String name(int file) {
        return "a" + file / (IN_FOLDER * IN_FOLDER) + "/b" + file / IN_FOLDER + "/file-" + file;
    }

    private static void change(Path worktree, int files, String text) throws IOException {
        for (int file = 0; file < CHANGED; file++) {
            Files.writeString(worktree.resolve(name(file * (files / CHANGED))), text);
        }
    }

    /** As a person types it: with hooks, of which there are none, and without the first question of ours. */
    private static double plain(Path worktree, boolean syncs) throws Exception {
        long start = System.nanoTime();
        run(worktree, syncs, "add", "--all");
        run(worktree, syncs, "commit", "--quiet", "--message", "a step");
        return (System.nanoTime() - start) / 1e6;
    }

    private static void run(Path worktree, boolean syncs, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "gc.auto=0"));
        if (syncs) {
            command.addAll(List.of("-c", "core.fsync=loose-object,pack,pack-metadata,reference"));
        }
        command.addAll(Arrays.asList(words));
        assertThat(new ProcessBuilder(command)
                        .directory(worktree.toFile())
                        .start()
                        .waitFor())
                .isZero();
    }

    private static double least(List<Double> times) {
        return times.stream().sorted().toList().get(0);
    }

    private static double median(List<Double> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }
}
