package dev.loopkeeper.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.step.DroppedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
    private static final int HEAD = 8192;
    private static final DroppedBytes GONE = new DroppedBytes(HEAD, 16 * HEAD);

    @TempDir
    Path folder;

    private Path file;
    private LogFile log;

    @BeforeEach
    void print() throws IOException {
        file = folder.resolve("stdout.log");
        log = new LogFile(folder, "stdout");
        Files.writeString(file, "h".repeat(HEAD) + "m".repeat(15 * HEAD) + "t".repeat(HEAD));
    }

    private String text(int chunk) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        LogFile.Part part = log.read(0, chunk);
        while (part.bytes().length() > 0) {
            all.writeBytes(part.bytes().getBytes());
            part = log.read(part.next(), chunk);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aMarkerStandsForWhatWasDropped() throws IOException {
        log.drop(GONE);
        String expected = "h".repeat(HEAD) + "\n[loopkeeper: " + 15 * HEAD
                + " bytes were dropped here, the log limit was reached]\n" + "t".repeat(HEAD);
        assertThat(text(100)).isEqualTo(expected);
        assertThat(text(1 << 20)).isEqualTo(expected);
        assertThat(log.read(3L * HEAD, 10).next()).isEqualTo(16L * HEAD);
    }

    @Test
    void theDiskGetsTheSpaceBackAndOffsetsStay() throws IOException {
        long before = blocks();
        log.drop(GONE);
        assertThat(log.size()).isEqualTo(17L * HEAD);
        assertThat(blocks()).isLessThan(before / 4);
    }

    private long blocks() throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        try (var output = stat.getInputStream()) {
            return Long.parseLong(new String(output.readAllBytes(), StandardCharsets.UTF_8).strip());
        }
    }

    @Test
    void aWriterWithTheFileOpenContinues() throws IOException {
        try (OutputStream agent = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
            agent.write("one".getBytes(StandardCharsets.UTF_8));
            log.drop(GONE);
            agent.write("two".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(text(4096)).endsWith("t".repeat(HEAD) + "onetwo");
    }

    @Test
    void aLogThatIsALinkIsNotTouched() throws IOException {
        Path other = Files.writeString(folder.resolve("precious"), "p".repeat(HEAD));
        Files.delete(file);
        Files.createSymbolicLink(file, other);
        assertThatThrownBy(() -> log.drop(new DroppedBytes(0, HEAD))).isInstanceOf(IOException.class);
        assertThat(Files.readString(other)).isEqualTo("p".repeat(HEAD));
        assertThat(log.dropped().count()).isZero();
        assertThat(log.size()).isZero();
    }

    @Test
    void theEdgesAreOfWhatIsKept() throws IOException {
        log.drop(GONE);
        String edges = new String(log.edges(2 * HEAD), StandardCharsets.UTF_8);
        assertThat(edges).isEqualTo("h".repeat(HEAD) + "\n" + "t".repeat(HEAD));
    }

    @Test
    void aRemovedLogIsEmpty() throws IOException {
        log.drop(GONE);
        assertThat(log.remove()).isTrue();
        assertThat(log.remove()).isFalse();
        assertThat(text(10)).isEmpty();
        assertThat(log.size()).isZero();
        assertThat(log.edges(10)).isEmpty();
    }
}
