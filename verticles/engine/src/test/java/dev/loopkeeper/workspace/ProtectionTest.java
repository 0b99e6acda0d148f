package dev.loopkeeper.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.process.Steps;
import dev.loopkeeper.step.StepSpec;
import dev.loopkeeper.step.StepWorktree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a step did to protected files, by what an agent may run. */
class ProtectionTest {
    private static final String FILES = "mkdir -p tests/deep src && echo a > tests/a && echo b > tests/deep/b"
            + " && echo x > tests/run && chmod 755 tests/run && ln -s a tests/link && echo s > src/s"
            + " && echo 'tests/ignored*' > .gitignore && echo i > tests/ignored && echo ü > 'tests/ü +%.txt'";
    private static final String REPOSITORY = FILES + " && git init -q . && git add . && git commit -q -m one"
            + " && echo mine > tests/untracked && echo mine >> tests/deep/b";

    @TempDir
    private Path folder;

    private Path workspace;
    private Protection protection;

    @BeforeEach
    void folders() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        protection = protection("git");
    }

    private Protection protection(String git) {
        Clock clock = Clock.systemUTC();
        return new Protection(
                new WorkspaceDigest(clock, WorkspaceDigest.Limits.OF_PROTECTED, git), folder.resolve("data"), clock);
    }

    @CanIgnoreReturnValue
    private String sh(String script) {
        try {
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(workspace.toFile());
            List.of("AUTHOR", "COMMITTER").forEach(who -> {
                builder.environment().put("GIT_" + who + "_NAME", "a");
                builder.environment().put("GIT_" + who + "_EMAIL", "a@b");
            });
            Process process = builder.redirectErrorStream(true).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(text).isZero();
            return text;
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }

    private StepSpec step(String id, boolean worktree) {
        StepSpec step = new Steps(workspace, "protection").id(id).build();
        Optional<StepWorktree> place = Optional.of(new StepWorktree(
                        "/r", "", "worktree", new StepWorktree.Branch("b", "", ""), false, List.of(), Optional.empty()))
                .filter(known -> worktree);
        return step.withAgentSpec(step.agentSpec()
                        .withLoss(step.agentSpec().loss().withProtect(List.of("tests/**", "**/*.lock"))))
                .withWorktree(place);
    }

    private List<String> changed(boolean worktree, String script) throws IOException {
        StepSpec step = step("build.1.dev.1", worktree);
        protection.remember(step, List.of());
        sh(script);
        return protection.changed(step, List.of()).names();
    }

    /** Names and contents of the protected files that git does not ignore. */
    private String content() {
        return sh(
                "find tests -type l -exec sh -c 'echo {} $(readlink {})' ';' -o -type f ! -name ignored -printf '%p %m ' -exec cat {} ';'"
                        + " | LC_ALL=C sort; find . -name '*.lock'");
    }

    private static final String SCRIPTS = """
            true                                                  |
            echo more >> src/s                                    |
            touch tests/a                                         |
            cp tests/a x; rm tests/a; mv x tests/a                |
            chmod 600 tests/a                                     |
            echo new > a.txt; mkdir tests2; echo x > tests2/a     |
            echo more >> tests/a                                  | tests/a
            printf b > tests/a; touch -r src/s tests/a            | tests/a
            echo x > tests/new                                    | tests/new
            rm tests/a                                            | tests/a
            rm -r tests                                           | tests/a,tests/deep/b,tests/link,tests/run,tests/ü +%.txt
            mv tests/a tests/c                                    | tests/a,tests/c
            mv tests/a a                                          | tests/a
            chmod 755 tests/a                                     | tests/a
            chmod 644 tests/run                                   | tests/run
            ln -sf run tests/link                                 | tests/link
            rm tests/a; mkdir tests/a; echo x > tests/a/x         | tests/a,tests/a/x
            mv tests t; ln -s t tests                             | tests,tests/a,tests/deep/b,tests/link,tests/run,tests/ü +%.txt
            echo x > 'tests/ü +%.txt'                             | tests/ü +%.txt
            mkdir -p src/d; echo x > src/d/y.lock                 | src/d/y.lock
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = SCRIPTS)
    void seesEachChangeInAFolderWithoutGit(String script, String names) throws IOException {
        sh(FILES + "; rm tests/ignored");

        assertThat(changed(false, script)).isEqualTo(list(names));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = SCRIPTS)
    void setsEachChangeBackInAWorktree(String script, String names) throws IOException {
        sh(FILES + " && git init -q .");
        String before = content();

        assertThat(changed(true, script)).isEqualTo(list(names));
        if (names != null) {
            assertThat(content()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            git commit -q -am all                                       |
            git add -A; git commit -q -m all                            |
            git stash -q -u; git stash pop -q                           |
            echo x > tests/ignored2                                     |
            echo x > tests/ignored                                      |
            git checkout -q -b other; echo x > src/s; git commit -q -am b |
            echo more >> tests/a; git commit -q -am a                   | tests/a
            git rm -q tests/a; git commit -q -m a                       | tests/a
            git mv tests/a tests/c; git commit -q -m a                  | tests/a,tests/c
            git mv tests/a c; git commit -q --amend -m a                | tests/a
            echo x > tests/new; git add .; git commit -q -m a           | tests/new
            git update-index --chmod=+x tests/a; chmod +x tests/a; git commit -q -m a | tests/a
            git stash -q                                                | tests/deep/b
            git stash -q -u                                             | tests/deep/b,tests/untracked
            git reset -q --hard                                         | tests/deep/b
            git clean -q -f -d                                          | tests/untracked
            git update-index --assume-unchanged tests/a; echo x > tests/a | tests/a
            git update-index --skip-worktree tests/a; rm tests/a        | tests/a
            echo 'tests/*' > .gitignore; rm tests/untracked; echo x > tests/a | tests/a,tests/untracked
            git init -q tests/sub; echo x > tests/sub/x                 | tests/sub/x
            git branch -q -M x; git checkout -q --orphan y; git rm -q -r -f src; echo x > tests/a | tests/a
            rm -rf .git                                                 |
            rm -rf .git; rm tests/deep/b; echo x > tests/a              | tests/a,tests/deep/b
            rm -rf .git; echo x > tests/new; echo x > tests/ignored2    | tests/new
            rm .git/HEAD                                                |
            rm .git/HEAD; echo x > tests/a                              | tests/a
            git config core.repositoryFormatVersion 9; rm tests/a       | tests/a
            echo tests/ >> .gitignore; echo x > tests/new               | tests/new
            echo tests/ >> .git/info/exclude; echo x > tests/new        | tests/new
            echo tests/ > e; git config core.excludesFile "$PWD/e"; echo x > tests/new | tests/new
            mkdir tests/n; echo '*' > tests/n/.gitignore; echo x > tests/n/x | tests/n/.gitignore,tests/n/x
            rm .gitignore; echo x > tests/ignored2                      |
            git add -f tests/ignored                                    | tests/ignored
            git rm -q --cached tests/a; git commit -q -m a              | tests/a
            echo x > tests/a; git commit -q -m a tests/a; echo a > tests/a | tests/a
            git checkout -q --detach; echo x > tests/a; git commit -q -m a tests/a; git checkout -q HEAD~1 tests/a | tests/a
            echo x > tests/n; git add tests/n; git commit -q -m a; rm tests/n | tests/n
            git update-index --chmod=+x tests/a; git commit -q -m a     | tests/a
            git config core.fileMode false; chmod +x tests/a            | tests/a
            git config filter.f.clean 'sed s/a/z/'; echo 'tests/a filter=f' > .gitattributes; touch tests/a; git add tests/a; git commit -q -m a | tests/a
            git commit -q -m a tests/deep/b; git reset -q --soft HEAD~1 |
            git sparse-checkout set src 2>&1                            | tests/a,tests/link,tests/run,tests/ü +%.txt
            git mv tests/a tests/A; git commit -q -m a                  | tests/A,tests/a
            printf x > "$(printf 'tests/n\\n\\351')"                    | "tests/n\\n\\351"
            mkdir tests/.cache; echo '*' > tests/.cache/.gitignore      | tests/.cache/.gitignore
            git worktree add -q ../other; echo x > ../other/tests/a     |
            git -C .. init -q; mv .git ../old; echo x > tests/new       | tests/new
            mkdir -p src/x; mv tests/deep src/x; ln -s ../src/x/deep tests/deep | tests/deep,tests/deep/b
            git replace HEAD:tests/a HEAD:src/s; git commit -q -m a tests/deep/b |
            echo y.lock >> .git/info/exclude; echo '!*.lock' >> .gitignore; echo x > src/y.lock | src/y.lock
            """)
    void seesEachChangeInARepository(String script, String names) throws IOException {
        sh(REPOSITORY);

        assertThat(changed(false, script)).isEqualTo(list(names));
    }

    private static List<String> list(String names) {
        return names == null ? List.of() : List.of(names.split(","));
    }

    @Test
    void restoresWhatWasNotCommittedBeforeTheStep() throws IOException {
        sh(REPOSITORY);
        String before = content();

        assertThat(changed(
                        true,
                        "git add .; git commit -q -m a; git reset -q --hard HEAD~1; rm -r tests; mkdir tests2"
                                + "; echo safe > tests2/a; ln -s tests2 tests"))
                .hasSize(7);

        assertThat(content()).isEqualTo(before);
        assertThat(workspace.resolve("tests2/a")).hasContent("safe");
    }

    @Test
    void aSubmoduleThatIsNotCheckedOutStays() throws IOException {
        String at = "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),tests/sub && git commit -q -m sub";
        sh(REPOSITORY + " && mkdir tests/sub && " + at);

        assertThat(changed(true, at)).containsExactly("tests/sub");
        assertThat(workspace.resolve("tests/sub")).isDirectory();
    }

    @Test
    void whatAPersonChangesBetweenStepsIsNotOfTheNextStep() throws IOException {
        sh(REPOSITORY);
        assertThat(changed(false, "echo x >> src/s")).isEmpty();
        sh("echo person >> tests/a; rm tests/run; git commit -q -am person");

        assertThat(changed(false, "echo y >> src/s")).isEmpty();
    }

    @Test
    void aStepMayUndoWhatARejectedOneDid() throws IOException {
        sh(REPOSITORY);
        StepSpec rejected = step("build.1.dev.1", false);
        protection.remember(rejected, List.of());
        sh("echo more >> tests/a; echo x > tests/new");
        assertThat(protection.changed(rejected, List.of()).names()).containsExactly("tests/a", "tests/new");

        StepSpec next = step("build.2.dev.1", false);
        protection.remember(next, List.of());
        sh("git checkout -q tests/a; rm tests/new; rm tests/run");

        assertThat(protection.changed(next, List.of()).names()).containsExactly("tests/run");
    }

    @Test
    void aRuntimeThatWasKilledBeforeTheEndJudgesByTheEarlierFiles() throws IOException {
        sh(REPOSITORY);
        StepSpec step = step("build.1.dev.1", true);
        protection.remember(step, List.of());
        sh("echo more >> tests/a");
        Protection later = protection("git");
        later.remember(step, List.of());

        assertThat(later.changed(step, List.of()).names()).containsExactly("tests/a");
        assertThat(workspace.resolve("tests/a")).hasContent("a");
        assertThat(protection("git").changed(step, List.of()).names())
                .as("killed before the end was recorded")
                .containsExactly("tests/a");
    }

    @Test
    void anEarlierLaunchOfTheSameNameDoesNotCount() throws IOException {
        sh(REPOSITORY);
        protection.remember(step("build.1.dev.1", false), List.of());
        sh("echo more >> tests/a");

        assertThat(changed(false, "true")).isEmpty();
    }

    @Test
    void whatAPersonChangesAfterTheEndAndAKillIsNotOfTheStep() throws IOException {
        sh(REPOSITORY);
        StepSpec step = step("build.1.dev.1", false);
        protection.remember(step, List.of());
        assertThat(protection.changed(step, List.of()).names()).isEmpty();
        sh("echo person >> tests/a");

        assertThat(protection("git").changed(step, List.of()).names()).isEmpty();
    }

    @Test
    void withoutTheGitThatListedTheFilesTheChangesAreUnknown() throws IOException {
        sh(REPOSITORY);
        StepSpec step = step("build.1.dev.1", false);
        protection.remember(step, List.of());

        assertThatThrownBy(() -> protection("no-such-git").changed(step, List.of()))
                .hasMessageContaining("git does not list");
        assertThat(protection.changed(step, List.of()).names()).isEmpty();
    }

    /** The look was repeated for a minute, and then the run ended with an internal error. */
    @Test
    void aRepositoryInTheWorkspaceMayGo() throws IOException {
        sh(
                FILES
                        + " && git init -q lib && mkdir lib/tests && echo l > lib/y.lock && echo z.lock > lib/.gitignore && echo z > lib/z.lock");

        assertThat(changed(false, "rm -rf lib/.git; echo x > lib/y.lock")).containsExactly("lib/y.lock");
    }

    /** Rules of folders above, in folders and of a folder that ignores itself, as git reads them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            echo x > tests/b.pyc; echo x > tests/deep/c.tmp; echo x > tests/deep/keep.pyc   | tests/deep/keep.pyc
            echo x > tests/deep/only; mkdir -p tests/deep/z; echo x > tests/deep/z/only     | tests/deep/z/only
            echo x > tests/.venv/y; mkdir tests/build; echo x > tests/build/b; echo x > tests/c.tmp | tests/c.tmp
            rm ../.gitignore tests/deep/.gitignore; echo x > tests/b.pyc                    | tests/deep/.gitignore
            mv ../.git ../g; echo x > tests/b.pyc; echo x > tests/deep/keep.pyc             | tests/deep/keep.pyc
            mkdir tests/n; mv ../.git tests/n; echo x > tests/n/x.pyc; echo x > tests/n/x   | tests/n/x,tests/n/x.pyc
            """)
    void theRulesBeforeTheStepDecideInAPartOfARepository(String script, String names) throws IOException {
        sh(
                "git init -q ..; printf '*.pyc\\nbuild/ \\n' > ../.gitignore; mkdir -p tests/deep tests/.venv; echo '*' > tests/.venv/.gitignore"
                        + "; printf '!keep.pyc\\n*.tmp\\n/only\\n#x\\n' > tests/deep/.gitignore; echo a > tests/a; git add -A; git commit -q -m one");

        assertThat(changed(false, script)).isEqualTo(list(names));
    }

    @Test
    void withoutTheWorkspaceAllFilesAreGone() throws IOException {
        sh(FILES);
        StepSpec step = step("build.1.dev.1", false);
        protection.remember(step, List.of());
        sh("rm -r ../workspace");

        assertThat(protection.changed(step, List.of()).names()).hasSize(6);
    }
}
