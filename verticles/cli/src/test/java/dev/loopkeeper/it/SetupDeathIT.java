package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.embed.SmallRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The setup of a worktree whose server is killed. */
class SetupDeathIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    private long pid() throws IOException {
        Path begun = folder.resolve("begun");
        return Files.exists(begun) && Files.readString(begun).endsWith("\n")
                ? Long.parseLong(Files.readString(begun).strip())
                : 0;
    }

    @Test
    void afterAKillNineTheSetupIsEndedAndRunsAgainBeforeTheFirstStep() throws Exception {
        Path repository = SmallRepository.in(folder.resolve("repository")).folder();
        String runId;
        long first;
        try (Program server = Program.serve(folder, folder.resolve("data"))) {
            runId = Api.of(server).submit("""
                            name: prepared
                            isolation:
                              git: worktree
                              setup: {command: "[ -e %1$s ] || { echo $$ > %1$s; sleep 250; }; echo done >> made"}
                            agents: {dev: {command: "[ $(cat made) = done ]"}}
                            phases: [{name: only, task: dev}]
                            """.formatted(folder.resolve("begun")), repository);
            Awaitility.await().atMost(SOON).until(() -> pid() > 0);
            first = pid();
            server.kill();
        }

        try (Program server = Program.serve(folder, folder.resolve("data"))) {
            Api next = Api.of(server);
            assertThat(next.until(runId, "completed", "paused", "stopped", "failed")
                            .path("status")
                            .asText())
                    .isEqualTo("completed");
            assertThat(Processes.lives(first)).isFalse();
        }
    }
}
