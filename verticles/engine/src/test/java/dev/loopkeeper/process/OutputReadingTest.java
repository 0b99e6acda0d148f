package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.contract.OutputDigest;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputReadingTest {
    private static final String NEEDLE = "ALL DONE ✓";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_530, 65_535, 65_536, 131_071, 2_000_000})
    void findsATextWhereverItStands(int before) throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "x".repeat(before) + NEEDLE + "y".repeat(99));

        assertThat(read(folder, NEEDLE).matched()).isTrue();
        assertThat(read(folder, NEEDLE + "?").matched()).isFalse();
    }

    @Test
    void anOverlappingBeginningDoesNotHideTheMatch() throws IOException {
        Files.writeString(folder.resolve("stdout.log"), "aaab".repeat(20_000) + "aaaab");

        assertThat(read(folder, "aaaab").matched()).isTrue();
    }

    @Test
    void ofALongOutputOnlyTheEdgesCount() throws IOException {
        Path one = printed("one", "h".repeat(300_000) + "1" + "t".repeat(300_000));
        Path two = printed("two", "h".repeat(300_000) + "2" + "t".repeat(300_000));
        Path three = printed("three", "h".repeat(300_001) + "t".repeat(299_999) + "3");

        assertThat(read(one, "").digest()).isEqualTo(read(two, "").digest());
        assertThat(read(one, "").digest()).isNotEqualTo(read(three, "").digest());
    }

    @Test
    void noFileIsNoOutput() throws IOException {
        Path empty = printed("empty", "");

        assertThat(read(folder.resolve("absent"), NEEDLE)).isEqualTo(read(empty, NEEDLE));
    }

    @Test
    void ofAStructuredOutputOnlyWhatTheAgentSaysIsSearched() throws IOException {
        Path said = printed(
                "said", "{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"<p>\\\"all\\\" done</p>\"}\n");
        Path read = printed(
                "read",
                "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":\"\\\"all\\\" done\"}]}}\n");
        String expected = "\"all\" done";

        assertThat(OutputReading.read(said, OutputDialect.CLAUDE_CODE, expected, text -> text)
                        .matched())
                .isTrue();
        assertThat(OutputReading.read(read, OutputDialect.CLAUDE_CODE, expected, text -> text)
                        .matched())
                .isFalse();
    }

    private Path printed(String step, String text) throws IOException {
        Path path = Files.createDirectory(folder.resolve(step));
        Files.writeString(path.resolve("stdout.log"), text);
        return path;
    }

    private static OutputDigest read(Path step, String expected) throws IOException {
        return OutputReading.read(step, OutputDialect.TEXT, expected, text -> text);
    }
}
