package dev.loopkeeper.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log of the process, or changes what it has once")
class NativeLibraryTest {
    private static final String PROPERTY = "org.sqlite.tmpdir";
    private static final String LIBRARY_FOLDER = "org.sqlite.lib.path";
    private static final String LIBRARY_NAME = "libsqlitejdbc.so";
    private static final Map<String, String> PROCESSORS = Map.of("amd64", "x86_64", "aarch64", "aarch64");

    @TempDir
    private Path folder;

    private final NativeLibrary library = new NativeLibrary();
    private final Optional<String> before = Optional.ofNullable(System.getProperty(PROPERTY));

    @BeforeEach
    void clear() {
        assertThat(Optional.ofNullable(System.clearProperty(PROPERTY))).isEqualTo(before);
        System.getProperties().remove(LIBRARY_FOLDER);
    }

    /** What was set before is not set again: its folder may be gone, and would count as chosen by somebody else. */
    @AfterEach
    void restore() {
        assertThat(System.clearProperty(PROPERTY)).isNotNull();
        System.getProperties().remove(LIBRARY_FOLDER);
    }

    private Path owned(String name) throws IOException {
        Path data = Files.createDirectory(folder.resolve(name));
        library.unpackIn(data);
        return data;
    }

    /** It was opened for a store elsewhere: nothing was unpacked there, and its folder may be gone. */
    @Test
    void aPlaceThatIsGoneIsReplaced() throws IOException {
        Path first = owned("first");
        assertThat(System.getProperty(PROPERTY)).isEqualTo(first + "/native");
        Path second = owned("second");
        assertThat(System.getProperty(PROPERTY)).isEqualTo(first + "/native");

        Files.delete(first.resolve("native").resolve(LIBRARY_NAME));
        Files.delete(first.resolve("native"));
        library.unpackIn(second);

        assertThat(System.getProperty(PROPERTY)).isEqualTo(second + "/native");
    }

    /** Else it runs a process, and compares what it has unpacked byte by byte. */
    @Test
    void theDriverFindsItUnpacked() throws IOException {
        Path unpacked = owned("first").resolve("native");

        assertThat(System.getProperty(LIBRARY_FOLDER)).isEqualTo(unpacked.toString());
        try (InputStream ofDriver = NativeLibraryTest.class.getResourceAsStream(
                "/org/sqlite/native/Linux/" + PROCESSORS.get(System.getProperty("os.arch")) + "/" + LIBRARY_NAME)) {
            assertThat(unpacked.resolve(LIBRARY_NAME)).hasBinaryContent(ofDriver.readAllBytes());
        }
    }

    /** Truncated instead, it would end a last owner that still has it loaded. */
    @Test
    void whatALastOwnerUnpackedIsMadeAnew() throws IOException {
        Path left = Files.createDirectories(folder.resolve("first/native")).resolve(LIBRARY_NAME);
        Files.writeString(left, "left");
        try (BufferedReader loaded = Files.newBufferedReader(left)) {
            library.unpackIn(folder.resolve("first"));

            assertThat(Files.size(left)).isGreaterThan(1000);
            assertThat(loaded.readLine()).isEqualTo("left");
        }
    }

    @Test
    void aLibraryThatSomebodyElseChoseStays() throws IOException {
        System.setProperty(LIBRARY_FOLDER, "/no/such/place");

        assertThat(owned("first").resolve("native")).isDirectory();

        assertThat(System.getProperty(LIBRARY_FOLDER)).isEqualTo("/no/such/place");
    }

    @Test
    void aPlaceThatSomebodyElseChoseStays() throws IOException {
        assertThat(System.setProperty(PROPERTY, "/no/such/place")).isNull();

        assertThat(owned("first")).isEmptyDirectory();

        assertThat(System.getProperty(PROPERTY)).isEqualTo("/no/such/place");
    }
}
