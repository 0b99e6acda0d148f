package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.WorktreeChannels.ResetWorktree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An agent's {@code git config} in a worktree changes settings that the person's checkout shares. */
class SharedSettingsTest extends WorktreeOfARun {
    private List<String> warnings(String step) {
        return worktrees.commit(Sample.commit(run, base, base, step)).warnings();
    }

    @Test
    void theCheckoutCanBeUsedAgainAfterAnAgentMadeTheRepositoryBare() throws IOException {
        Sample.git(worktree, "config", "core.bare", "true");
        Sample.git(worktree, "config", "core.worktree", folder.toString());

        assertThat(warnings("s1"))
                .hasSize(2)
                .anySatisfy(warning -> assertThat(warning).contains("core.bare was set to true", "reset to false"))
                .anySatisfy(warning -> assertThat(warning).contains("core.worktree was set", "removed again"));

        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
        assertThat(warnings("s2")).isEmpty();
    }

    @Test
    void commitsAWorktreeThatWasMadeBare() throws IOException {
        Sample.git(worktree, "config", "extensions.worktreeConfig", "true");
        Files.writeString(worktree.resolve("work.txt"), "done");
        Sample.git(worktree, "config", "--worktree", "core.worktree", folder.toString());
        Sample.git(worktree, "config", "--worktree", "core.bare", "true");

        assertThat(warnings("s1"))
                .anySatisfy(warning -> assertThat(warning).contains("core.bare was set to true", "config.worktree"))
                .anySatisfy(warning -> assertThat(warning).contains("core.worktree was set", "config.worktree"));

        assertThat(Sample.git(worktree, "show", "HEAD:work.txt")).isEqualTo("done");
        assertThat(warnings("s2")).isEmpty();
    }

    @Test
    void resetsAWorktreeThatWasMadeBare() throws IOException {
        Sample.git(worktree, "config", "extensions.worktreeConfig", "true");
        Sample.git(worktree, "config", "--worktree", "core.bare", "true");

        worktrees.reset(new ResetWorktree(run, base, "u1"));

        assertThat(Sample.git(worktree, "status", "--porcelain")).isEmpty();
    }

    @Test
    void theNextStepSetsBackWhatNoCommitSaw() throws IOException {
        Sample.git(worktree, "config", "core.bare", "yes");

        worktrees.prepare(Sample.prepare(run, base));

        assertThat(Sample.git(sample.repository, "status", "--porcelain")).isEmpty();
    }

    /** In a sandbox an agent can write in its own git folder, and the runtime deletes what is noted and gone. */
    @Test
    void noLinkInTheFolderOfTheAgentLeadsTheNotesToOtherFiles() throws IOException {
        Path victim = Files.createDirectory(folder.resolve("outside")).resolve("victim");
        Files.writeString(victim, "x");
        Path notes = Path.of(Sample.git(worktree, "rev-parse", "--absolute-git-dir"), "loopkeeper-shared");
        Files.createDirectories(notes);
        Files.createSymbolicLink(notes.resolve("hooks"), victim.getParent());

        assertThatThrownBy(() -> worktrees.prepare(Sample.prepare(run, base)))
                .hasMessageContaining("would lead git to write elsewhere; remove the link");

        assertThat(victim).exists();
    }

    @Test
    void otherSettingsStayAndAreNamedWithoutTheirValues() throws IOException {
        Sample.git(worktree, "config", "user.email", "agent@example.org");
        Sample.git(worktree, "config", "remote.origin.url", "https://secret@example.org");

        assertThat(warnings("s1"))
                .containsExactly("settings that all checkouts of the repository share were changed: remote.origin.url, "
                        + "user.email; check " + sample.repository.resolve(".git/config")
                        + " and revert unwanted changes");
        assertThat(Sample.git(sample.repository, "config", "user.email")).isEqualTo("agent@example.org");
    }

    @Test
    void refusesACheckoutOfABareRepositoryWithTheRemedy() throws IOException {
        Sample.git(sample.repository, "config", "core.bare", "true");

        assertThatThrownBy(() -> worktrees.check(new CheckWorkspace(sample.repository, "HEAD")))
                .hasMessageContaining("core.bare is true; change it with: git -C " + sample.repository.resolve(".git")
                        + " config core.bare false");
    }
}
