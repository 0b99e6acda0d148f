package dev.loopkeeper.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.FreePorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server serves at the port it was given, or refuses and leaves nothing behind. */
class RefusedServeIT {
    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void nameTheDataFolder() {
        data = folder.resolve("data");
    }

    @Test
    void aFreePortOfOnesChoiceIsServed() throws Exception {
        int port = FreePorts.next();
        try (Program server =
                Program.start(folder, Map.of(), "serve", "--port", String.valueOf(port), "--data", data.toString())) {
            assertThat(Api.of(server).get("/health/ready").path("status").asText())
                    .isEqualTo("ready");
            assertThat(server.firstLine()).endsWith("http://127.0.0.1:" + port);
        }
    }

    @Test
    void aPortInUseIsRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            Program.Result refused = Program.run(folder, "serve", "--port", port, "--data", data.toString());
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.stderr()).contains(port, "choose another port");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void theWholeNetworkIsRefusedWithoutAToken() throws Exception {
        Program.Result refused =
                Program.run(folder, "serve", "--host", "0.0.0.0", "--port", "0", "--data", data.toString());
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.stderr()).contains("token");
        assertThat(data).doesNotExist();
    }

    /** It was "Error opening connection" below two stack traces. */
    @Test
    void namesTheFolderWhereSqliteCannotBeUnpacked() throws Exception {
        List<String> limited = List.of("sh", "-c", "ulimit -f 400; exec \"$@\"", "sh");
        try (Program server =
                Program.start(limited, folder, Map.of(), "serve", "--port", "0", "--data", data.toString())) {
            Program.Result refused = server.join();
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.stderr())
                    .contains("SQLite could not be unpacked into " + data.resolve("native"), "ulimit -f")
                    .doesNotContain("\tat ");
        }
    }

    /** It named a missing file: outbox.json. */
    @ParameterizedTest
    @ValueSource(ints = {20, 30})
    void reportsTooFewOpenFiles(int most) throws Exception {
        List<String> limited = List.of("sh", "-c", "ulimit -n " + most + "; exec \"$@\"", "sh");
        try (Program server =
                Program.start(limited, folder, Map.of(), "serve", "--port", "0", "--data", data.toString())) {
            Program.Result refused = server.join();
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.stderr())
                    .contains("may have " + most + " files open at once", "ulimit -n")
                    .doesNotContain("\tat ");
            assertThat(data).doesNotExist();
        }
    }
}
