package dev.loopkeeper.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.cluster.BusAddress;
import dev.loopkeeper.cluster.BusOptions;
import dev.loopkeeper.data.DataFolder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the packed libraries of a bus; a node asks again where it failed, see {@code NodeBusTest}. */
class PackedBusTest {
    private static final BusAddress MEMBER = new BusAddress("127.0.0.1", 5701);
    private static final byte[] PACKED = {1, 2, 3};

    @TempDir
    private Path data;

    private Path libraries;
    private PackedBus bus;

    @BeforeEach
    void prepare() {
        libraries = data.resolve(DataFolder.NATIVE);
        bus = new PackedBus(
                new BusOptions(List.of(MEMBER), MEMBER, Optional.empty()),
                data,
                () -> new ByteArrayInputStream(PACKED));
    }

    private void isRefusedWithTheRemedy() {
        assertThatThrownBy(bus::call)
                .isInstanceOf(IOException.class)
                .hasMessage("the event bus cannot be unpacked into " + libraries
                        + "; see that there is room, and that it is a folder in which this user may write");
    }

    @Test
    void aFileInTheWayIsToldAndOnceItIsGoneTheyAreUnpacked() throws IOException {
        Files.writeString(libraries, "in the way");
        isRefusedWithTheRemedy();
        isRefusedWithTheRemedy();

        Files.delete(libraries);
        try (URLClassLoader loader = (URLClassLoader) bus.libraries()) {
            assertThat(loader.getURLs())
                    .containsExactly(libraries.resolve("bus.jar").toUri().toURL());
        }
        assertThat(libraries.resolve("bus.jar")).hasBinaryContent(PACKED);
    }

    @Test
    void aFolderInWhichNothingCanBeMadeIsTold() throws IOException {
        // Other than rights this binds root too.
        Files.createDirectories(libraries.resolve("bus.jar/in-the-way"));

        isRefusedWithTheRemedy();
    }

    @Test
    void theLibrariesOfAFormerRuntimeAreReplaced() throws IOException {
        Files.createDirectories(libraries);
        Files.writeString(libraries.resolve("bus.jar"), "former");

        ((URLClassLoader) bus.libraries()).close();

        assertThat(libraries.resolve("bus.jar")).hasBinaryContent(PACKED);
    }

    @Test
    void whereTheyAreNotPackedTheyLieOnTheClassPath() throws IOException {
        PackedBus loose = new PackedBus(new BusOptions(List.of(MEMBER), MEMBER, Optional.empty()), data, () -> null);

        assertThat(loose.libraries()).isSameAs(PackedBus.class.getClassLoader());
        assertThat(libraries).doesNotExist();
    }
}
