package dev.loopkeeper.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.CheckoutChannels.CheckWorkspace;
import dev.loopkeeper.contract.CheckoutChannels.CheckedWorkspace;
import dev.loopkeeper.contract.WorktreeException;
import dev.loopkeeper.contract.WorktreeException.Problem;
import dev.loopkeeper.manifest.read.ManifestProblem;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a check of a manifest says of the repository that its runs would work in. */
class RepositoryCheckTest extends SubmitFixture {
    private static final String ISOLATED =
            MANIFEST + "isolation: {git: worktree, base: main, branch: \"x/{{runId}}\", copy: [built]}\n";

    private final List<CheckWorkspace> asked = new ArrayList<>();
    private Future<CheckedWorkspace> answer = Future.succeededFuture();

    private Submission submitted(String manifest) {
        Submissions submissions = new Submissions(
                check -> workers.executeBlocking(check, false),
                Map.of("PATH", "/usr/bin:/bin"),
                question -> {
                    asked.add(question);
                    return answer;
                },
                () -> Future.succeededFuture(Optional.empty()));
        return submissions
                .fromFile(manifest(manifest), SubmitOptions.NONE)
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }

    @Test
    void gitIsAskedAboutWorktreesAlone() {
        assertThat(accepted(submitted(MANIFEST)).warnings()).isNotNull();
        assertThat(refused(submitted(ISOLATED.replace("steps:", "stops:")))).isNotEmpty();

        assertThat(asked).isEmpty();
    }

    @Test
    void whatAPersonShouldKnowIsAWarningWithItsPosition() {
        answer = Future.succeededFuture(
                new CheckedWorkspace(project, "", "abc", List.of("the checkout is sparse"), List.of()));

        List<ManifestProblem> warnings = accepted(submitted(ISOLATED)).warnings();

        assertThat(warnings)
                .extracting(warning -> warning.text("manifest.yaml"))
                .contains("manifest.yaml:6:18: isolation.git: the checkout is sparse");
        assertThat(asked).singleElement().satisfies(question -> {
            assertThat(question.workspace()).isEqualTo(project);
            assertThat(question.base()).isEqualTo("main");
            assertThat(question.run().orElseThrow().copy()).containsExactly("built");
            assertThat(question.run().orElseThrow().branches()).containsExactly("x/a-run");
        });
    }

    @Test
    void aPathToCopyThatIsAbsentIsAWarningWithItsPosition() {
        answer = Future.succeededFuture(new CheckedWorkspace(project, "", "abc", List.of(), List.of("built", "out/*")));

        List<ManifestProblem> warnings = accepted(submitted(ISOLATED.replace("[built]", "[built, out/*]")))
                .warnings();

        assertThat(warnings)
                .extracting(warning -> warning.text("manifest.yaml"))
                .contains(
                        "manifest.yaml:6:70: isolation.copy[0]: \"built\" is not in " + project
                                + ", so worktrees are created without it; correct the path, or create it before the run",
                        "manifest.yaml:6:77: isolation.copy[1]: \"out/*\" is not in " + project
                                + ", so worktrees are created without it; patterns are not expanded: name each path");
    }

    @ParameterizedTest
    @CsvSource({
        "UNKNOWN_COMMIT, 6:34: isolation.base",
        "BRANCH_TAKEN, 6:48: isolation.branch",
        "BAD_BRANCH, 6:48: isolation.branch",
        "NOT_IGNORED, 6:69: isolation.copy",
        "NO_REPOSITORY, 6:18: isolation.git",
        "NO_COMMIT, 6:18: isolation.git",
        "GIT_UNUSABLE, 6:18: isolation.git"
    })
    void whatARunCouldNotBeginWithIsAnErrorWithItsPosition(Problem problem, String place) {
        answer = Future.failedFuture(new WorktreeException(problem, "so it is"));

        assertThat(placed(submitted(ISOLATED))).containsExactly("manifest.yaml:" + place + ": so it is");
    }
}
