package dev.loopkeeper.worktree;

import dev.loopkeeper.contract.WorktreeChannels.WorktreeLocation;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Prepares a repository with one run, and the worktree of this run, for each test. */
abstract class WorktreeOfARun {
    @TempDir
    Path folder;

    Sample sample;
    Worktrees worktrees;
    String base;
    WorktreeLocation run;
    Path worktree;

    @BeforeEach
    void prepareWorktree() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        base = sample.base();
        run = sample.location();
        worktree = worktrees.prepare(Sample.prepare(run, base)).worktree();
    }
}
