package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.loopkeeper.process.SandboxMachine;
import java.io.IOException;
import java.nio.file.Path;
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

    private static String manifest(String sandbox) {
        return "{name: git, agents: {dev: {command: ./agent.sh" + sandbox
                + "}}, phases: [{name: build, loop: {maxIterations: 1, noProgress: 1, steps: [dev]}}]}";
    }
}
