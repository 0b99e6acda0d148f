package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.SandboxSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxPlanTest {
    private static final SandboxRungs LANDLOCK = rungs(7);
    private static final SandboxRungs BOTH = new SandboxRungs(7, Optional.empty());

    private static SandboxRungs rungs(int abi) {
        return new SandboxRungs(abi, Optional.of("bubblewrap is not installed; install it"));
    }

    private static SandboxPlan.Facts facts(SandboxRungs machine, boolean inPlace, String... matched) {
        String hooks = inPlace ? "/work/app/.git/hooks" : "/x/hooks";
        return facts(machine, new SandboxPlan.Git(List.of("/src/.git/objects"), List.of(hooks), inPlace), matched);
    }

    private static SandboxPlan.Facts facts(SandboxRungs machine, SandboxPlan.Git git, String... matched) {
        return new SandboxPlan.Facts(
                machine,
                "/usr/bin/claude",
                "/work/app",
                "/home/me",
                "/tmp/own",
                git,
                List.of("/home/other", "/home/me", "/data"),
                List.of(matched),
                path -> path.replace("/link", "/work/app/linked"));
    }

    private static SandboxSpec spec(String write, String hide, boolean network, String... protect) {
        return new SandboxSpec(false, List.of(write), List.of(hide), network, List.of(protect));
    }

    @Test
    void theDefaultSetIsTheWorkspaceGitAndTheProgramsState() {
        SandboxPlan plan = SandboxPlan.of(SandboxSpec.WORKSPACE, facts(LANDLOCK, false));

        assertThat(plan.lacking()).isEmpty();
        assertThat(plan.write()).contains("/work/app", "/src/.git/objects", "/tmp/own", "/home/me/.claude");
        assertThat(plan.hide()).containsExactly("/home/other", "/data");
        assertThat(plan.level()).isEqualTo("landlock abi 7: write, hide");
    }

    @Test
    void aListIsRelativeToTheWorkspaceOrTheHomeFolder() {
        SandboxPlan plan = SandboxPlan.of(spec("out/../src/.", "~/.ssh", false), facts(rungs(4), false));

        assertThat(plan.write()).containsExactly("/work/app/src");
        assertThat(plan.hide()).contains("/home/me/.ssh");
        assertThat(plan.level()).isEqualTo("landlock abi 4: write, hide, network");
    }

    @ParameterizedTest
    @CsvSource({
        "0, true, ., /x, , false, the kernel has no Landlock",
        "2, true, ., /x, , false, the kernel has Landlock ABI 2",
        "3, false, ., /x, , false, network: off requires Landlock ABI 4",
        "7, true, ., /x, tests/**, false, 'bubblewrap is not installed; install it, or remove protect'",
        "7, true, ., secret, , false, cannot hide /work/app/secret in a writable folder",
        "7, true, /, /x, , false, in a writable folder",
        "7, true, ., /link, , false, cannot hide /work/app/linked in a writable folder",
        "7, true, ., /x, , true, .git/hooks",
    })
    void whatCannotBeEnforcedIsNamedWithItsRemedy(
            int abi, boolean network, String write, String hide, String protect, boolean repository, String why) {
        SandboxSpec spec = protect == null ? spec(write, hide, network) : spec(write, hide, network, protect);

        assertThat(SandboxPlan.of(spec, facts(rungs(abi), repository)).lacking().orElseThrow())
                .contains(why);
    }

    @Test
    void theSettingsOfAWorktreeRequireBubblewrapWhereGitUsesThem() {
        SandboxPlan.Git git = new SandboxPlan.Git(
                List.of("/src/.git"), List.of("/src/.git/hooks", "/src/.git/config.worktree"), true);

        assertThat(planOf(LANDLOCK, git.ofWorktree()).lacking().orElseThrow())
                .contains("config.worktree", "set extensions.worktreeConfig of the repository to false");
        assertThat(planOf(BOTH, git.ofWorktree()).lacking()).isEmpty();
        assertThat(planOf(BOTH, git.ofWorktree()).guard()).containsExactly("/src/.git/config.worktree");
    }

    private static SandboxPlan planOf(SandboxRungs machine, SandboxPlan.Git git) {
        return SandboxPlan.of(SandboxSpec.WORKSPACE, facts(machine, git));
    }

    @Test
    void bubblewrapTakesAwayWhatLandlockCannot() {
        SandboxSpec spec = spec(".", "secret", false, "tests/**");
        SandboxPlan plan = SandboxPlan.of(spec, facts(BOTH, true, "/work/app/tests", "/elsewhere/tests"));

        assertThat(plan.lacking()).isEmpty();
        assertThat(plan.guard()).containsExactly("/work/app/.git/hooks", "/work/app/tests");
        assertThat(plan.level()).isEqualTo("landlock abi 7 + bubblewrap: write, hide, protect, network");
    }

    @Test
    void afterATakeoverNothingIsLaunchedAtALowerLevel() {
        SandboxSpec higher = SandboxSpec.WORKSPACE.atLeast(Optional.of("landlock abi 7 + bubblewrap: write, hide"));
        SandboxSpec older = SandboxSpec.WORKSPACE.atLeast(Optional.of("landlock abi 6: write, hide"));

        assertThat(SandboxPlan.of(higher, facts(LANDLOCK, false)).lacking().orElseThrow())
                .contains(
                        "an earlier step of the run had landlock abi 7 + bubblewrap, and this machine has landlock abi 7");
        assertThat(SandboxPlan.of(higher, facts(BOTH, false)).lacking()).isEmpty();
        assertThat(SandboxPlan.of(older, facts(LANDLOCK, false)).lacking()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "landlock abi 7: write, landlock abi 7: write, false",
        "landlock abi 7: write, landlock abi 6: write, false",
        "landlock abi 6: write, landlock abi 7: write, true",
        "landlock abi 7: write, landlock abi 7 + bubblewrap: write, true",
        "landlock abi 8 + bubblewrap: write, landlock abi 7: write, false",
        "landlock abi 10: write, landlock abi 9: write, false",
    })
    void aLevelIsLowerWithAnOlderLandlockOrWithoutBubblewrap(String level, String earlier, boolean lower) {
        assertThat(SandboxRungs.isLower(level, earlier)).isEqualTo(lower);
    }

    @Test
    void theNarrowestSandboxHasNoNetworkAndTheFewestFolders() {
        SandboxSpec closed = spec(".", "/x", false);

        assertThat(SandboxSpec.narrowest(Stream.of(SandboxSpec.WORKSPACE, closed, spec("/", "/x", true))))
                .contains(closed);
    }
}
