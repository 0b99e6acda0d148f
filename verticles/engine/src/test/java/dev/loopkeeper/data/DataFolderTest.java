package dev.loopkeeper.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.work.BootId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    private Path parent;

    @Test
    void isTheOneThatIsNamedOrTheStateFolderOfTheUser() {
        Map<String, String> environment = Map.of("XDG_STATE_HOME", "/state", "HOME", "/home/ada");

        assertThat(DataFolder.resolve(Optional.of("/x/../data"), environment).path())
                .isEqualTo(Path.of("/data"));
        assertThat(DataFolder.resolve(Optional.empty(), environment).path()).isEqualTo(Path.of("/state/loopkeeper"));
        assertThat(DataFolder.resolve(Optional.empty(), Map.of("HOME", "/home/ada", "XDG_STATE_HOME", "odd"))
                        .path())
                .isEqualTo(Path.of("/home/ada/.local/state/loopkeeper"));
    }

    @Test
    void isMadeForItsUserAlone() throws IOException {
        DataFolder folder = new DataFolder(parent.resolve("a/b/data")).prepare();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
        assertThat(folder.path().toFile().list()).containsExactly(".gitignore");
        assertThat(folder.path().resolve(".gitignore")).hasContent("*");
        assertThat(folder.prepare()).isEqualTo(folder);
    }

    /** Other users read the keys in it. */
    @Test
    void takesAFolderThatIsThereFromOtherUsers() throws IOException {
        Path data = openFolder();
        new DataFolder(data).prepare();
        assertThat(rights(data)).isEqualTo("rwx------");

        Files.createFile(data.resolve("owner.lock"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        new DataFolder(data).prepare();
        assertThat(rights(data)).isEqualTo("rwx------");
    }

    @Test
    void refusesAnOpenFolderThatHoldsOtherFiles() throws IOException {
        Path data = openFolder();
        Files.createFile(data.resolve("README"));

        assertThatThrownBy(new DataFolder(data)::prepare)
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("other users")
                .hasMessageContaining("chmod 700");
        assertThat(rights(data)).isEqualTo("rwxr-xr-x");
    }

    private Path openFolder() throws IOException {
        Path data = Files.createDirectory(parent.resolve("open"));
        return Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void knowsWhetherItLiesInTheRepositoryOfAWorkspace() throws IOException {
        DataFolder inside = new DataFolder(parent.resolve("work/data"));
        assertThat(inside.isInRepositoryOf(parent.resolve("work"))).isFalse();

        Files.createDirectories(parent.resolve("work/.git"));
        assertThat(inside.isInRepositoryOf(parent.resolve("work"))).isTrue();
        assertThat(inside.isInRepositoryOf(parent.resolve("elsewhere"))).isFalse();
    }

    @Test
    void namesTheFileInTheWay() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "mine");

        for (Path data : new Path[] {file, file.resolve("data"), file.resolve("a/b")}) {
            assertThatThrownBy(new DataFolder(data)::prepare)
                    .isInstanceOf(DataFolderException.class)
                    .hasMessageContaining(file + " is a file")
                    .hasMessageContaining("--data");
        }
        assertThat(file).hasContent("mine");
    }

    @Test
    void namesTheFolderThatCannotBeMadeOrWritten() {
        // The kernel refuses new entries here even for root.
        for (String data : new String[] {"/proc/loopkeeper/data", "/proc/self"}) {
            assertThatThrownBy(new DataFolder(Path.of(data))::prepare)
                    .isInstanceOf(DataFolderException.class)
                    .hasMessageContaining(data)
                    .hasMessageContaining("--data");
        }
    }

    @Test
    void refusesWhatIsNoPath() {
        assertThatThrownBy(() -> DataFolder.resolve(Optional.of("a\0b"), Map.of()))
                .isInstanceOf(DataFolderException.class)
                .hasMessageContaining("a\\0b");
    }

    @Test
    void hasOneOwnerInThisProcess() throws IOException {
        DataFolder folder = new DataFolder(parent);
        Path link = Files.createSymbolicLink(parent.resolve("link"), parent);

        try (OwnerLock owner = folder.own()) {
            assertThat(owner).isNotNull();
            assertThatThrownBy(new DataFolder(link)::own)
                    .isInstanceOfSatisfying(DataFolderInUseException.class, refused -> {
                        assertThat(refused.pid())
                                .isEqualTo(ProcessHandle.current().pid());
                        assertThat(refused.path()).isEqualTo(link);
                    });
        }
        try (OwnerLock next = folder.own()) {
            assertThat(next).isNotNull();
        }
    }

    @Test
    void showsTheLivingOwnersAddress() throws IOException {
        DataFolder folder = new DataFolder(parent);
        ServerFile file = folder.serverFile();
        long pid = ProcessHandle.current().pid();
        ServerAddress address = new ServerAddress("http://127.0.0.1:7345", pid, Instant.now());
        try (OwnerLock owner = folder.own()) {
            assertThat(owner).isNotNull();
            assertThat(file.read()).isEmpty();

            file.write(address);

            assertThat(file.read()).contains(address.at(FileId.of(parent), BootId.current()));
            assertThat(parent.resolve("server.json")).content().contains("\"url\":\"http://127.0.0.1:7345\"");
            file.remove();
            file.remove();
            assertThat(file.read()).isEmpty();
        }
    }

    @Test
    void ignoresAnAddressThatAnotherProcessLeft() throws IOException {
        DataFolder folder = new DataFolder(parent);
        ServerFile file = folder.serverFile();
        long pid = ProcessHandle.current().pid();
        try (OwnerLock owner = folder.own()) {
            assertThat(owner).isNotNull();
            file.write(new ServerAddress("http://127.0.0.1:1", pid + 1, Instant.now()));
            assertThat(file.read()).isEmpty();
            // Started before this process was: the number was given out again.
            file.write(new ServerAddress("http://127.0.0.1:1", pid, Instant.EPOCH));
            assertThat(file.read()).isEmpty();
            Files.writeString(parent.resolve("server.json"), "{\"url\":");
            assertThat(file.read()).isEmpty();
        }
    }

    /** A stop or prune of the copy reached the runs of the original. */
    @Test
    void aCopyDoesNotLeadToTheServerOfTheOriginal() throws IOException {
        DataFolder folder = new DataFolder(parent.resolve("original")).prepare();
        DataFolder copy = new DataFolder(parent.resolve("copy")).prepare();
        try (OwnerLock owner = folder.own()) {
            assertThat(owner).isNotNull();
            folder.serverFile()
                    .write(new ServerAddress(
                            "http://127.0.0.1:7345", ProcessHandle.current().pid(), Instant.now()));
            for (String file : List.of("owner.lock", "server.json")) {
                Files.copy(folder.path().resolve(file), copy.path().resolve(file));
            }

            assertThat(folder.serverFile().read()).isPresent();
            assertThat(copy.serverFile().read()).isEmpty();
            assertThat(copy.writtenOwner()).isZero();
            assertThatThrownBy(copy::own)
                    .isInstanceOf(DataFolderException.class)
                    .hasMessageContaining(copy.path() + " is a copy of")
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void aCopyWhoseOriginalHasNoOwnerAnyMoreIsAnyFolder() throws IOException {
        DataFolder copy = new DataFolder(parent.resolve("copy")).prepare();
        Files.writeString(copy.path().resolve("owner.lock"), "4711\n");
        Files.writeString(
                copy.path().resolve("server.json"),
                "{\"url\":\"http://127.0.0.1:1\",\"pid\":4711,\"startedAt\":\"2020-01-01T00:00:00Z\","
                        + "\"folder\":{\"device\":1,\"inode\":1}}");

        try (OwnerLock owner = copy.own()) {
            assertThat(owner).isNotNull();
            assertThat(copy.writtenOwner()).isEqualTo(ProcessHandle.current().pid());
            assertThat(copy.path().resolve("server.json")).doesNotExist();
        }
    }

    /** Whatever process has the same number on this machine. */
    @Test
    void aCopyFromAnotherMachineIsAnyFolder() throws IOException {
        DataFolder copy = new DataFolder(parent.resolve("copy")).prepare();
        long pid = ProcessHandle.current().pid();
        Files.writeString(copy.path().resolve("owner.lock"), pid + "\n");
        Files.writeString(
                copy.path().resolve("server.json"),
                "{\"url\":\"http://127.0.0.1:1\",\"pid\":" + pid + ",\"startedAt\":\"" + Instant.now()
                        + "\",\"folder\":{\"device\":1,\"inode\":1},\"boot\":\"another\"}");

        try (OwnerLock owner = copy.own()) {
            assertThat(owner).isNotNull();
        }
    }

    @Test
    void aStartOfTheMachineThatIsNotKnownIsNoOther() {
        ServerAddress unreported = new ServerAddress("http://127.0.0.1:1", 1, Instant.EPOCH);
        ServerAddress reported = unreported.at(Optional.empty(), Optional.of("this"));

        assertThat(reported.mayBeOf(Optional.of("this"))).isTrue();
        assertThat(reported.mayBeOf(Optional.of("another"))).isFalse();
        assertThat(reported.mayBeOf(Optional.empty())).isTrue();
        assertThat(unreported.mayBeOf(Optional.of("this"))).isTrue();
    }

    @Test
    void anAddressThatAnOlderVersionWroteCounts() throws IOException {
        DataFolder folder = new DataFolder(parent);
        long pid = ProcessHandle.current().pid();
        try (OwnerLock owner = folder.own()) {
            assertThat(owner).isNotNull();
            Files.writeString(
                    parent.resolve("server.json"),
                    "{\"url\":\"http://127.0.0.1:1\",\"pid\":" + pid + ",\"startedAt\":\"" + Instant.now() + "\"}");

            assertThat(folder.serverFile().read()).isPresent();
        }
    }
}
