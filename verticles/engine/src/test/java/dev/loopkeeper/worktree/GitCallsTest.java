package dev.loopkeeper.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.git.GitAnswer;
import dev.loopkeeper.git.GitCall;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GitCallsTest {
    /** A hook that did not run is not searched for. */
    @Test
    void aSilentGitIsBlamedOnHooksOnlyWhereTheyRun() {
        GitCall call = GitCall.in(Path.of("/ws"), "commit");
        GitAnswer silent = new GitAnswer(1, new byte[0], false, "");

        assertThat(GitCalls.failure(call, silent)).hasMessage("git commit ended with 1 without a message");
        assertThat(GitCalls.failure(call.hooks(true), silent))
                .hasMessage("git commit ended with 1 without a message, perhaps because a hook refused the commit");
    }
}
