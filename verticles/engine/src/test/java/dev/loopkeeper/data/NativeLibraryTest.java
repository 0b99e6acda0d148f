package dev.loopkeeper.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("reads the log of the process, or changes what it has once")
class NativeLibraryTest {
    private static final String PROPERTY = "org.sqlite.tmpdir";

    @TempDir
    private Path folder;

    private final NativeLibrary library = new NativeLibrary();
    private final Optional<String> before = Optional.ofNullable(System.getProperty(PROPERTY));

    @BeforeEach
    void clear() {
        assertThat(Optional.ofNullable(System.clearProperty(PROPERTY))).isEqualTo(before);
    }

    /** What was set before is not set again: its folder may be gone, and would be treated as the user's own choice. */
    @AfterEach
    void restore() {
        assertThat(System.clearProperty(PROPERTY)).isNotNull();
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

        Files.delete(first.resolve("native"));
        library.unpackIn(second);

        assertThat(System.getProperty(PROPERTY)).isEqualTo(second + "/native");
    }

    @Test
    void keepsAConfiguredFolder() throws IOException {
        assertThat(System.setProperty(PROPERTY, "/no/such/place")).isNull();

        assertThat(owned("first")).isEmptyDirectory();

        assertThat(System.getProperty(PROPERTY)).isEqualTo("/no/such/place");
    }
}
