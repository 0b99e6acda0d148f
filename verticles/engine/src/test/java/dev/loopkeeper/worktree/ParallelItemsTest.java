package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RecordCodec;
import dev.loopkeeper.contract.RequestChannel;
import dev.loopkeeper.contract.WorktreeChannels;
import dev.loopkeeper.contract.WorktreeChannels.FinishWorktree;
import dev.loopkeeper.contract.WorktreeChannels.ItemMerged;
import dev.loopkeeper.contract.WorktreeChannels.MergeItem;
import dev.loopkeeper.contract.WorktreeChannels.PreparedWorktree;
import dev.loopkeeper.contract.WorktreeChannels.StepCommitted;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeFinished;
import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight items at a time over one repository, by the channels: each change that was approved is in the result once. */
class ParallelItemsTest {
    private static final int ITEMS = 8;
    private static final int ROUNDS = Integer.getInteger("loopkeeper.test.mergeRounds", 2);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService agents = Executors.newFixedThreadPool(ITEMS);

    @BeforeEach
    void codec() {
        RecordCodec.register(vertx);
    }

    @AfterEach
    void close() throws Exception {
        agents.shutdownNow();
        vertx.close().toCompletionStage().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private <Q, A> A ask(RequestChannel<Q, A> channel, Q question) throws Exception {
        return channel.ask(vertx.eventBus(), question, PATIENCE)
                .toCompletionStage()
                .toCompletableFuture()
                .get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
    }

    @Test
    void everyApprovedChangeIsInTheResultOnce() throws Exception {
        Sample sample = new Sample(folder);
        vertx.deployVerticle(new WorktreesVerticle(sample.data, Sample.GIT, 15_000))
                .toCompletionStage()
                .toCompletableFuture()
                .get(1, TimeUnit.MINUTES);
        int conflicts = 0;
        for (int round = 0; round < ROUNDS; round++) {
            conflicts += round(sample, round);
        }
        assertThat(conflicts).isPositive();
    }

    private int round(Sample sample, int round) throws Exception {
        String id = "fix-" + round;
        Files.createDirectories(sample.data.resolve("runs").resolve(id));
        String base = sample.base();
        WorktreeLocation run = new WorktreeLocation(id, sample.repository, "worktree", "loopkeeper/" + id);
        Path worktree = ask(WorktreeChannels.PREPARE, Sample.prepare(run, base)).worktree();
        List<Callable<Integer>> work = IntStream.range(0, ITEMS)
                .<Callable<Integer>>mapToObj(item -> () -> item(run, base, item, new Random(round * 100L + item)))
                .toList();
        int attempts = 0;
        for (Future<Integer> done : agents.invokeAll(work)) {
            attempts += done.get();
        }

        List<String> lines = new ArrayList<>();
        for (String file : List.of("a.txt", "sub/b.txt")) {
            lines.addAll(Files.readAllLines(worktree.resolve(file)));
        }
        for (int item = 0; item < ITEMS; item++) {
            assertThat(lines).containsOnlyOnce("by item " + item);
            assertThat(worktree.resolve("of-" + item)).hasContent("item " + item);
        }
        assertThat(lines).hasSize(4 + ITEMS);
        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
        assertThat(Sample.git(worktree, "log", "--merges", "--first-parent", "--format=%s", base + "..")
                        .lines())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ITEMS)
                        .mapToObj(item -> "Merge item f" + item)
                        .toList());
        assertThat(Sample.git(worktree, "log", "--all", "-G", "^(<<<<<<<|>>>>>>>)", "--format=%H"))
                .isEmpty();
        assertThat(Sample.git(sample.repository, "worktree", "list").lines()).hasSize(2 + round);
        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        return attempts - ITEMS;
    }

    /** Answers how many attempts it took. */
    private int item(WorktreeLocation run, String base, int item, Random random) throws Exception {
        String from = base;
        for (int attempt = 1; ; attempt++) {
            String name = "f" + item + "." + attempt;
            WorktreeLocation location = new WorktreeLocation(
                    run.runId(), run.repository(), "worktrees/" + name, "loopkeeper/items/" + run.runId() + "/" + name);
            PreparedWorktree made = ask(WorktreeChannels.PREPARE, Sample.prepare(location, from));
            work(made.worktree(), item, random);
            StepCommitted step = ask(WorktreeChannels.COMMIT, Sample.commit(location, from, base, name));
            assertThat(step.commit()).isPresent();
            ItemMerged merged =
                    ask(WorktreeChannels.MERGE_ITEM, new MergeItem(run, base, location, "f" + item, attempt, false));
            WorktreeFinished finished = ask(WorktreeChannels.FINISH, new FinishWorktree(location, false, true));
            assertThat(finished.reason()).isEmpty();
            if (merged.conflicts().isEmpty()) {
                return attempt;
            }
            from = merged.head();
        }
    }

    /** A line somewhere in one of two files, which may be where another item has put one, and a file of its own. */
    private static void work(Path worktree, int item, Random random) throws IOException {
        Path file = worktree.resolve(random.nextInt(3) == 0 ? "sub/b.txt" : "a.txt");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.add(random.nextInt(lines.size() + 1), "by item " + item);
        Files.write(file, lines);
        Sample.write(worktree, "of-" + item, "item " + item);
    }
}
