package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The polite signal ends processes that carry the mark; who cleared its environment in their session is ended too. */
class WardenSessionTest {
    @TempDir
    private Path folder;

    private Path data;
    private Warden warden;
    private Process agent;

    @BeforeEach
    void begin() throws IOException {
        data = Files.createDirectory(folder.resolve("data")).toRealPath();
        warden = new Warden(data);
        Path scripts = warden.install().getParent();
        assertThat(scripts.resolve("warden.sh")).exists();
    }

    @AfterEach
    void endAll() throws IOException {
        if (agent != null) {
            agent.destroyForcibly();
        }
        if (Files.exists(folder.resolve("child"))) {
            ProcessHandle.of(child()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private long child() throws IOException {
        return Long.parseLong(Files.readString(folder.resolve("child")).strip());
    }

    private void launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        List.of(
                                "setsid",
                                "sh",
                                "-c",
                                "env -i sh -c 'trap \"\" TERM; echo $$ >new; mv new child; while :; do sleep 0.05; done' & sleep 300"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(Map.of("LOOPKEEPER_DATA", data.toString(), "LOOPKEEPER_NONCE", "n-1"));
        agent = builder.start();
        await().until(() -> Files.exists(folder.resolve("child")));
    }

    private static boolean lives(long pid) {
        try {
            return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void killsAnUnmarkedChildThatIgnoresTerm() throws Exception {
        launch();
        long child = child();

        assertThat(warden.signal("TERM")).isGreaterThanOrEqualTo(2);
        assertThat(agent.waitFor()).isNotZero();
        assertThat(lives(child)).isTrue();

        assertThat(warden.signal("KILL")).isGreaterThanOrEqualTo(1);
        await().until(() -> !lives(child));
        await().until(() -> warden.signal("0") == 0);
    }

    @Test
    @Timeout(60)
    void aScriptThatHangsEndsAtItsLimit() throws Exception {
        Warden impatient = new Warden(data, Duration.ofMillis(200));
        Path note = data.resolve("cluster/sessions");
        assertThat(new ProcessBuilder("mkfifo", note.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> impatient.signal("TERM")).hasMessageContaining("cannot be counted");

        Files.writeString(data.resolve("cluster/warden.sh"), "exec sleep 2917");
        assertThatThrownBy(impatient::start).hasMessageContaining("the warden cannot be started");
        await().until(() -> ProcessHandle.current()
                .descendants()
                .noneMatch(child -> child.info().commandLine().orElse("").endsWith("sleep 2917")));
    }

    @Test
    void aSessionThatWasFoundLongAgoMayBeAnothers() throws Exception {
        Process stranger = new ProcessBuilder("setsid", "sleep", "300").start();
        try {
            await().until(() -> Files.readString(Path.of("/proc/" + stranger.pid() + "/cmdline"))
                    .startsWith("sleep"));
            Path note = data.resolve("cluster/sessions");
            for (String looked : List.of("1", "99999999999", "nothing")) {
                Files.writeString(note, looked + " " + stranger.pid() + "\n");
                assertThat(warden.signal("KILL")).as(looked).isZero();
            }
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly().waitFor();
        }
    }
}
