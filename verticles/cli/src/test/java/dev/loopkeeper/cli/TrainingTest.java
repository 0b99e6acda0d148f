package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.ServerAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A training that is killed leaves nobody behind. */
class TrainingTest {
    @TempDir
    Path folder;

    /** It stayed for up to five minutes, in a folder that was removed. */
    @Test
    @Timeout(120)
    void theServerOfAKilledTrainingEndsToo() throws Exception {
        Process training = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Training.class.getName(),
                        folder.toString(),
                        "commands")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        DataFolder data = new DataFolder(folder.toRealPath().resolve("data"));
        Optional<ServerAddress> served = Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> data.serverFile().read(), Optional::isPresent);
        ProcessHandle server = ProcessHandle.of(served.orElseThrow().pid()).orElseThrow();

        training.destroyForcibly().onExit().join();

        assertThat(server.onExit().orTimeout(30, TimeUnit.SECONDS).join()).isNotNull();
    }
}
