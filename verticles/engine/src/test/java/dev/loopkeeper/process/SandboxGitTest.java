package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.StepWorktree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxGitTest {
    @TempDir
    private Path folder;

    /** An agent could make the file, and git would execute filters that it names. */
    @ParameterizedTest
    @CsvSource({
        "'[extensions]\n\tworktreeConfig = true\n', true",
        "'[extensions] WORKTREECONFIG\n', true",
        "'[extensions]\nworktreeConfig = false\n', false",
        "'[core]\n\tbare = false\n', false",
    })
    void theSettingsOfOneCheckoutAreGuardedWhereGitUsesThem(String config, boolean guarded) throws IOException {
        Path git = Files.createDirectories(folder.toRealPath().resolve("repository/.git"));
        Files.writeString(git.resolve("config"), config);
        Path own = Files.createDirectories(git.resolve("worktrees/w"));
        Path worktree = Files.createDirectory(folder.toRealPath().resolve("w"));
        Files.writeString(worktree.resolve(".git"), "gitdir: " + own + "\n");
        Files.writeString(own.resolve("gitdir"), worktree.resolve(".git") + "\n");
        StepWorktree of = new StepWorktree(
                git.getParent().toString(),
                "",
                worktree.toString(),
                new StepWorktree.Branch("b", "c", "c"),
                false,
                List.of(),
                Optional.empty());

        assertThat(SandboxGit.of(Optional.of(of), worktree).guard().contains(own + "/config.worktree"))
                .isEqualTo(guarded);
        assertThat(SandboxGit.of(Optional.empty(), git.getParent()).guard().contains(git + "/config.worktree"))
                .isEqualTo(guarded);
    }
}
