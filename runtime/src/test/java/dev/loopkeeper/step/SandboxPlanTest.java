package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxPlanTest {
    private static SandboxPlan.Facts facts(int abi, boolean ownRepository) {
        return new SandboxPlan.Facts(
                abi,
                "/usr/bin/claude",
                "/work/app",
                "/home/me",
                "/tmp/own",
                List.of("/src/.git/objects"),
                ownRepository,
                List.of("/home/other", "/home/me", "/data"));
    }

    private static SandboxSpec spec(String write, String hide, boolean network, String... protect) {
        return new SandboxSpec(false, List.of(write), List.of(hide), network, List.of(protect));
    }

    @Test
    void theUsualSetIsTheWorkspaceWithItsGitFoldersAndTheStateOfItsProgram() {
        SandboxPlan plan = SandboxPlan.of(SandboxSpec.WORKSPACE, facts(7, false));

        assertThat(plan.lacking()).isEmpty();
        assertThat(plan.write()).contains("/work/app", "/src/.git/objects", "/tmp/own", "/home/me/.claude");
        assertThat(plan.hide()).containsExactly("/home/other", "/data");
        assertThat(plan.level()).isEqualTo("landlock abi 7: write, hide");
    }

    @Test
    void aListIsRelativeToTheWorkspaceOrTheHomeFolder() {
        SandboxPlan plan = SandboxPlan.of(spec("out/../src/.", "~/.ssh", false), facts(4, false));

        assertThat(plan.write()).containsExactly("/work/app/src");
        assertThat(plan.hide()).contains("/home/me/.ssh");
        assertThat(plan.level()).isEqualTo("landlock abi 4: write, hide, network");
    }

    @ParameterizedTest
    @CsvSource({
        "0, true, ., /x, , false, the kernel has no Landlock",
        "2, true, ., /x, , false, the kernel has Landlock ABI 2",
        "3, false, ., /x, , false, network: off requires Landlock ABI 4",
        "7, true, ., /x, tests/**, false, remove protect",
        "7, true, ., secret, , false, cannot hide /work/app/secret in a writable folder",
        "7, true, /, /x, , false, in a writable folder",
        "7, true, ., /x, , true, .git/hooks",
    })
    void whatCannotBeEnforcedIsNamedWithItsRemedy(
            int abi, boolean network, String write, String hide, String protect, boolean repository, String why) {
        SandboxSpec spec = protect == null ? spec(write, hide, network) : spec(write, hide, network, protect);

        assertThat(SandboxPlan.of(spec, facts(abi, repository)).lacking().orElseThrow())
                .contains(why);
    }

    @Test
    void theNarrowestSandboxHasNoNetworkAndTheFewestFolders() {
        SandboxSpec closed = spec(".", "/x", false);

        assertThat(SandboxSpec.narrowest(Stream.of(SandboxSpec.WORKSPACE, closed, spec("/", "/x", true))))
                .contains(closed);
    }
}
