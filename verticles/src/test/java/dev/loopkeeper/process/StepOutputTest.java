package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepOutputTest {
    private static final String NEEDLE = "ALL DONE ✓";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_530, 65_535, 65_536, 131_071, 2_000_000})
    void findsATextWhereverItStands(int before) throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "x".repeat(before) + NEEDLE + "y".repeat(99));

        assertThat(read(file, NEEDLE).matched()).isTrue();
        assertThat(read(file, NEEDLE + "?").matched()).isFalse();
    }

    @Test
    void anOverlappingBeginningDoesNotHideTheMatch() throws IOException {
        Path file = Files.writeString(folder.resolve("log"), "aaab".repeat(20_000) + "aaaab");

        assertThat(read(file, "aaaab").matched()).isTrue();
    }

    @Test
    void ofALongOutputOnlyTheEdgesCount() throws IOException {
        Path one = Files.writeString(folder.resolve("one"), "h".repeat(300_000) + "1" + "t".repeat(300_000));
        Path two = Files.writeString(folder.resolve("two"), "h".repeat(300_000) + "2" + "t".repeat(300_000));
        Path three = Files.writeString(folder.resolve("three"), "h".repeat(300_001) + "t".repeat(299_999) + "3");

        assertThat(read(one, "").digest()).isEqualTo(read(two, "").digest());
        assertThat(read(one, "").digest()).isNotEqualTo(read(three, "").digest());
    }

    @Test
    void noFileIsNoOutput() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThat(read(folder.resolve("absent"), NEEDLE)).isEqualTo(read(empty, NEEDLE));
    }

    private static StepOutput read(Path file, String expected) throws IOException {
        return StepOutput.read(file, expected, text -> text);
    }
}
