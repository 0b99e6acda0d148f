package dev.loopkeeper.process.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.process.Steps;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepEnvironmentTest {
    /** As hooks of git find it, and so a runtime that one of them starts. */
    private static final Map<String, String> OF_A_HOOK = Map.of(
            "GIT_DIR", "/src/.git",
            "GIT_INDEX_FILE", "/src/.git/index",
            "GIT_WORK_TREE", "/src",
            "GIT_PREFIX", "",
            "GIT_AUTHOR_NAME", "Ada",
            "HOME", "/home/ada");

    @TempDir
    private Path folder;

    private static StepSpec with(StepSpec step, StepWorktree worktree) {
        return step.withWorktree(Optional.of(worktree));
    }

    @Test
    void theGitOfAnAgentInAWorktreeWorksOnThatWorktree() {
        StepSpec plain = new Steps(folder, "none").build();
        StepSpec isolated = with(
                plain,
                new StepWorktree(
                        "/src",
                        "",
                        "worktree",
                        new StepWorktree.Branch("loopkeeper/run-1", "base", "base"),
                        false,
                        List.of(),
                        Optional.empty()));
        Map<String, String> inherited = new HashMap<>(OF_A_HOOK);

        StepEnvironment.layOver(inherited, isolated, folder, folder);

        assertThat(inherited)
                .doesNotContainKeys("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX")
                .containsEntry("GIT_AUTHOR_NAME", "Ada")
                .containsEntry("HOME", "/home/ada");
        Map<String, String> asked = new HashMap<>(OF_A_HOOK);
        StepEnvironment.layOver(asked, plain, folder, folder);
        assertThat(asked).containsAllEntriesOf(OF_A_HOOK);
    }
}
