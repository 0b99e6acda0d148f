package dev.loopkeeper.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of git, their environment and their end. */
class GitProgramTest {
    private static final Map<String, String> WHO = Map.of(
            "GIT_AUTHOR_NAME", "Ada",
            "GIT_AUTHOR_EMAIL", "ada@example.org",
            "GIT_COMMITTER_NAME", "Ada",
            "GIT_COMMITTER_EMAIL", "ada@example.org");

    @TempDir
    private Path folder;

    private final GitProgram git = new GitProgram("git");

    @BeforeEach
    void makeARepository() throws Exception {
        assertThat(good("init", "--quiet", "--initial-branch=main")).isEmpty();
        Files.writeString(folder.resolve("a.txt"), "one\n");
        commit("first");
    }

    private String good(String... words) throws GitException {
        GitAnswer answer = git.run(GitCall.in(folder, words).with(WHO));
        assertThat(answer.complaint()).isEmpty();
        return answer.text();
    }

    @CanIgnoreReturnValue
    private String commit(String subject) throws GitException {
        assertThat(good("add", "--all")).isEmpty();
        assertThat(good("commit", "--quiet", "-m", subject)).isEmpty();
        return good("rev-parse", "HEAD");
    }

    /** Returns those that work in the repository of this test; others may be of tests that run beside it. */
    private List<ProcessHandle> gits() {
        return ProcessHandle.current()
                .children()
                .filter(child -> isIn(child, folder))
                .toList();
    }

    private static boolean isIn(ProcessHandle child, Path folder) {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(child.pid()), "cwd"), folder);
        } catch (IOException gone) {
            return false;
        }
    }

    /** Where a person or a container keeps settings, e.g. safe.directory, is no repository. */
    @Test
    void ofTheRuntimesEnvironmentSettingsHoldAndRepositoriesDoNot() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "GIT_DIR", "/elsewhere/.git",
                "GIT_INDEX_FILE", "/elsewhere/.git/index",
                "GIT_LITERAL_PATHSPECS", "1",
                "GIT_CONFIG_GLOBAL", "/etc/of-the-container",
                "GIT_SSL_CAINFO", "/etc/ca.pem",
                "GIT_CONFIG_COUNT", "1",
                "GIT_CONFIG_KEY_0", "safe.directory",
                "GIT_CONFIG_VALUE_0", "*",
                "HOME", "/home/ada"));

        GitEnvironment.PLAIN.applyTo(environment);

        assertThat(environment)
                .doesNotContainKeys("GIT_DIR", "GIT_INDEX_FILE", "GIT_LITERAL_PATHSPECS")
                .containsEntry("GIT_CONFIG_GLOBAL", "/etc/of-the-container")
                .containsEntry("GIT_SSL_CAINFO", "/etc/ca.pem")
                .containsEntry("HOME", "/home/ada")
                .containsEntry("GIT_CONFIG_KEY_0", "safe.directory")
                .containsEntry("GIT_CONFIG_VALUE_0", "*");
        int count = Integer.parseInt(environment.get("GIT_CONFIG_COUNT"));
        assertThat(environment)
                .containsKey("GIT_CONFIG_KEY_" + (count - 1))
                .doesNotContainKey("GIT_CONFIG_KEY_" + count)
                .containsValue("core.hooksPath");
        Map<String, String> bogus = new HashMap<>(Map.of("GIT_CONFIG_COUNT", "many"));
        GitEnvironment.PLAIN.applyTo(bogus);
        assertThat(Integer.parseInt(bogus.get("GIT_CONFIG_COUNT"))).isEqualTo(count - 1);
    }

    @Test
    void aCallThatTakesTooLongIsEnded() {
        GitCall sleeping = GitCall.in(folder, "-c", "alias.nap=!sleep 600", "nap");

        assertThatThrownBy(() -> git.run(sleeping.within(Duration.ofMillis(50))))
                .isInstanceOf(GitException.class);

        assertThat(gits()).isEmpty();
    }

    @Test
    void aCallMayBeEndedByItsProcess() throws Exception {
        GitCall sleeping = GitCall.in(folder, "-c", "alias.nap=!sleep 600", "nap");

        GitAnswer answer = git.run(sleeping, GitProgram::kill);

        assertThat(answer.exit()).isEqualTo(137);
        assertThat(gits()).isEmpty();
    }
}
