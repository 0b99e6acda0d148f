package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.WorktreeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent makes its worktree one of a repository whose settings name programs. */
class PlantedRepositoryTest {
    @TempDir
    private Path folder;

    private Sample sample;
    private Worktrees worktrees;
    private Path worktree;
    private Path executed;

    @BeforeEach
    void prepare() throws IOException {
        sample = new Sample(folder);
        worktrees = sample.worktrees();
        worktree = worktrees
                .prepare(Sample.prepare(sample.location(), sample.base()))
                .worktree();
        executed = folder.toRealPath().resolve("executed");
        Sample.write(worktree, ".gitattributes", "* filter=evil\n");
        Sample.write(worktree, "a.txt", "changed\n");
    }

    private Path plantedRepository() throws IOException {
        Path evil = worktree.resolve("evil");
        Sample.git(worktree, "clone", "--quiet", "--bare", sample.repository.toString(), evil.toString());
        Sample.git(evil, "config", "filter.evil.clean", "touch " + executed + "; cat");
        Sample.git(evil, "config", "core.fsmonitor", "touch " + executed);
        return evil;
    }

    private void assertNothingIsExecuted() throws IOException {
        String base = sample.base();
        assertThatThrownBy(() -> worktrees.commit(Sample.commit(sample.location(), base, base, "s")))
                .isInstanceOf(WorktreeException.class);
        assertThat(executed).doesNotExist();
    }

    @Test
    void aRepositoryInPlaceOfThePointerIsNotUsed() throws IOException {
        Path evil = plantedRepository();
        Sample.git(evil, "config", "core.bare", "false");
        Files.delete(worktree.resolve(".git"));
        Files.move(evil, worktree.resolve(".git"));

        assertNothingIsExecuted();
    }

    @Test
    void aWorktreeOfAPlantedRepositoryIsNotUsed() throws IOException {
        Path evil = plantedRepository();
        Path own = Files.createDirectories(evil.resolve("worktrees/w"));
        Files.writeString(own.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(own.resolve("commondir"), "../..\n");
        Files.writeString(own.resolve("gitdir"), worktree.resolve(".git") + "\n");
        Files.writeString(worktree.resolve(".git"), "gitdir: " + own + "\n");
        Sample.git(worktree, "read-tree", "HEAD");

        assertNothingIsExecuted();
    }

    @Test
    void anotherCommonFolderIsNotUsed() throws IOException {
        Path evil = plantedRepository();
        Path own = sample.repository.resolve(".git/worktrees/worktree");
        Files.writeString(own.resolve("commondir"), evil + "\n");

        assertNothingIsExecuted();
    }
}
