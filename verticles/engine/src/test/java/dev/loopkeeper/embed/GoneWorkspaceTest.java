package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.termination.RefusalCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoneWorkspaceTest {
    @TempDir
    private Path folder;

    /** A dry run accepted the resume, whose step then could not be launched. */
    @Test
    void aRunIsNotResumedWhileItsWorkspaceIsGone() throws Exception {
        Path workspace = folder.resolve("workspace");
        Path moved = folder.resolve("moved");
        try (Keeper keeper = new Keeper(folder.resolve("data"), workspace)) {
            String runId = keeper.start("""
                    name: waits
                    agents: {dev: {command: [sleep, "600"]}}
                    phases: [{name: p, task: dev}]
                    """);
            keeper.stop(runId, true);
            keeper.until(runId, "stopped");
            Files.move(workspace, moved);

            assertThat(code(keeper.resume(runId, ResumeRequest.PLAIN.with(copy -> copy.dryRun(true)))))
                    .contains(RefusalCode.RESUME_PRECONDITION);
            assertThat(code(keeper.resume(runId, ResumeRequest.PLAIN))).contains(RefusalCode.RESUME_PRECONDITION);

            Files.createFile(workspace);
            assertThat(code(keeper.resume(runId, ResumeRequest.PLAIN.with(copy -> copy.dryRun(true)))))
                    .as("a file in its place")
                    .contains(RefusalCode.RESUME_PRECONDITION);
            Files.delete(workspace);

            Files.move(moved, workspace);
            assertThat(code(keeper.resume(runId, ResumeRequest.PLAIN))).isEmpty();
        }
    }

    private static Optional<RefusalCode> code(RunAnswer answer) {
        return answer.refusal().map(Refusal::code);
    }
}
