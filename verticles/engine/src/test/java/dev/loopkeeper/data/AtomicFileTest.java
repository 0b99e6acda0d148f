package dev.loopkeeper.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AtomicFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replacesWhatIsThereAndLeavesNothingBeside(boolean durably) throws IOException {
        Path file = Files.writeString(folder.resolve("note.json"), "a much longer content than the new one");
        replace(file, "new", durably);
        replace(folder.resolve("other.json"), "first", durably);

        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryContaining("glob:**other.json").isDirectoryNotContaining("glob:**.new");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    private static void replace(Path file, String content, boolean durably) throws IOException {
        if (durably) {
            AtomicFile.replaceDurably(file, content);
        } else {
            AtomicFile.replace(file, content.getBytes(UTF_8));
        }
    }

    @Test
    void contentThatFailsHalfWayLeavesTheFileAsItWas() throws IOException {
        Path file = Files.writeString(folder.resolve("known"), "old");

        assertThatThrownBy(() -> AtomicFile.replace(file, out -> {
                    out.write('n');
                    throw new IOException("disk full");
                }))
                .hasMessage("disk full");
        assertThat(file).hasContent("old");
    }

    @Test
    void aConcurrentReaderFindsTheOldOrTheNewContent() throws Exception {
        Path file = folder.resolve("note");
        AtomicFile.replace(file, "a".repeat(100_000).getBytes(UTF_8));
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            try {
                for (int round = 0; round < 200; round++) {
                    AtomicFile.replace(
                            file, (round % 2 == 0 ? "b" : "a").repeat(100_000).getBytes(UTF_8));
                }
            } catch (IOException refused) {
                throw new AssertionError(refused);
            } finally {
                over.set(true);
            }
        });
        writer.start();
        while (!over.get()) {
            String seen = Files.readString(file);
            assertThat(seen).hasSize(100_000);
            assertThat(seen.charAt(0)).isEqualTo(seen.charAt(99_999));
        }
        writer.join(60_000);
    }

    @Test
    void aDraftFromElsewhereTakesTheFilesPlace() throws IOException {
        Path draft = Files.writeString(folder.resolve("draft"), "new");
        AtomicFile.publish(draft, Files.writeString(folder.resolve("file"), "old"));

        assertThat(folder.resolve("file")).hasContent("new");
        assertThat(draft).doesNotExist();
    }
}
