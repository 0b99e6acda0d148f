package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.process.SandboxMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent in a sandbox leaves behind is not executed outside by the runtime. */
class SandboxedRunsTest {
    private static final String SANDBOX = ", sandbox: {write: [.], network: off}";

    @TempDir
    private Path folder;

    private Keeper keeper;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(SandboxMachine.near(folder).rungs().abi() >= 4, "Landlock ABI 4 is required");
        keeper = new Keeper(folder.resolve("data"), folder.resolve("work"));
    }

    @AfterEach
    void close() {
        if (keeper != null) {
            keeper.close();
        }
    }

    @Test
    void aFilterOfARepositoryThatTheAgentMadeDoesNotRunOutside() throws IOException {
        keeper.script("evil.sh", "echo >$(dirname \"$0\")/../escaped; cat");
        keeper.script(
                "agent.sh",
                "git init -q . && echo 1 >f && git add f && git -c user.name=a -c user.email=a@b commit -qm x\n"
                        + "git config filter.evil.clean \"$PWD/evil.sh\"\n"
                        + "echo '* filter=evil' >.git/info/attributes && echo 2 >f");

        keeper.untilEnded(keeper.start(manifest(SANDBOX)));
        assertThat(folder.resolve("escaped")).doesNotExist();

        keeper.untilEnded(keeper.start(manifest("")));
        assertThat(folder.resolve("escaped")).exists();
    }

    /** The second commit of a worktree compares the files of the repository that the first one recorded. */
    @Test
    void aCommitRunsNoFilterOfARepositoryThatTheAgentMade() throws IOException {
        SmallRepository repository = SmallRepository.in(folder.resolve("repository"));
        String agent = "[ -d app ] || { git init -q app && cd app && echo 1 >f && git add f"
                + " && git -c user.name=a -c user.email=a@b commit -qm x"
                + " && git config filter.evil.clean \"echo >" + folder.resolve("escaped") + "; cat\""
                + " && echo '* filter=evil' >.git/info/attributes && exit; }; echo 2 >app/f; echo >new";
        Files.writeString(repository.folder().resolve("agent.sh"), agent);
        repository.git("add", ".");
        repository.git("commit", "-q", "-m", "agent");

        String runId = keeper.start(
                manifest(SANDBOX)
                        .replace("{name: git", "{isolation: {git: worktree, keep: true}, name: git")
                        .replace("./agent.sh", "sh agent.sh")
                        .replace("maxIterations: 1, noProgress: 1", "maxIterations: 2"),
                repository.folder());
        keeper.untilEnded(runId);

        Path worktree = folder.resolve("data/runs").resolve(runId).resolve("worktree");
        assertThat(repository.git("ls-tree", "loopkeeper/" + runId)).contains("commit", "app", "new");
        assertThat(folder.resolve("escaped")).doesNotExist();
        new SmallRepository(worktree).git("add", "--all");
        assertThat(folder.resolve("escaped")).exists();
    }

    /** Git fetches a missing commit by a program that the settings name. */
    @Test
    void theComparisonOfProtectedFilesRunsNoProgramThatTheAgentNamed() throws IOException {
        Optional<String> lacking = SandboxMachine.near(folder).rungs().withoutBubblewrap();
        assumeTrue(lacking.isEmpty(), () -> lacking.orElseThrow());
        Files.writeString(keeper.workspace().resolve("tests"), "kept");
        keeper.script("evil.sh", "echo >$(dirname \"$0\")/../escaped");
        keeper.script(
                "agent.sh",
                "git rev-parse -q --verify HEAD && echo 1111111111111111111111111111111111111111 >.git/$(git symbolic-ref HEAD) && exit\n"
                        + "git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm x\n"
                        + "git config core.repositoryformatversion 1 && git config extensions.partialClone origin\n"
                        + "git config remote.origin.url \"$PWD\" && git config remote.origin.promisor true\n"
                        + "git config remote.origin.uploadpack \"$PWD/evil.sh\"");
        String twice = manifest(", sandbox: {write: [., .git], network: off}")
                .replace("maxIterations: 1, noProgress: 1", "maxIterations: 2")
                .replace("{name: git", "{protect: [tests], name: git");

        String runId = keeper.start(twice);
        keeper.untilEnded(runId);

        assertThat(folder.resolve("escaped")).doesNotExist();
        assertThat(notices(runId))
                .singleElement()
                .asString()
                .contains("git finds no commit", "restore it from a clone");
        keeper.script("escape.sh", "git rev-parse --verify 'HEAD^{commit}'");
        Process plain = new ProcessBuilder("./escape.sh")
                .directory(keeper.workspace().toFile())
                .start();
        assertThat(plain.onExit().join().exitValue()).isNotZero();
        assertThat(folder.resolve("escaped")).exists();
    }

    private List<String> notices(String runId) {
        return keeper.events(runId).stream()
                .filter(event -> event.type().equals("notice")
                        && event.data().path("code").asText().equals("worktree-warning"))
                .map(event -> event.data().path("message").asText())
                .toList();
    }

    private static String manifest(String sandbox) {
        return "{name: git, agents: {dev: {command: ./agent.sh" + sandbox
                + "}}, phases: [{name: build, loop: {maxIterations: 1, noProgress: 1, steps: [dev]}}]}";
    }
}
