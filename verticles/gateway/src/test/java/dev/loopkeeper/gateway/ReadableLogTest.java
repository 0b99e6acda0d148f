package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.data.StepLog;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadableLogTest {
    private static final String LOG = "/runs/run-1/steps/build.1.dev.1/log?view=readable";

    @TempDir
    private Path data;

    private GatewayFixture fixture;
    private Path file;

    @BeforeEach
    void open() throws IOException {
        fixture = GatewayFixture.plain(data);
        file = Files.createDirectories(data.resolve("runs/run-1/steps/build.1.dev.1"))
                .resolve("stdout.log");
        stepEnded(true);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void stepEnded(boolean ended) {
        fixture.scheduler.steps.put("run-1", TestRuns.steps("run-1", "build.1.dev.1", ended ? TestRuns.NOW : null));
    }

    private JsonNode page(String query) {
        return GatewayFixture.json(fixture.get(LOG + query));
    }

    private static List<String> texts(JsonNode page) {
        List<String> texts = new ArrayList<>();
        page.path("lines").forEach(line -> texts.add(line.path("text").asText()));
        return texts;
    }

    @Test
    void continuesWhereThePageEnded() throws IOException {
        Files.writeString(file.resolveSibling("request.json"), "{\"output\": \"codex\"}");
        Files.writeString(file, "one\n{\"type\":\"error\",\"message\":\"two\"}\n");
        JsonNode first = page("");
        assertThat(texts(first)).containsExactly("one", "two");
        assertThat(first.at("/lines/1/kind").asText()).isEqualTo("error");
        assertThat(first.at("/lines/1/offset").asLong()).isEqualTo(4);

        Files.writeString(file, Files.readString(file) + "three\n");

        assertThat(texts(page("&offset=" + first.path("nextOffset").asLong()))).containsExactly("three");
    }

    @Test
    void theTailOfALongLogIsReadFromItsEnd() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            text.append("line ").append(i).append('\n');
        }
        Files.writeString(file, text);

        assertThat(texts(page("&tail=3"))).containsExactly("line 49997", "line 49998", "line 49999");
        assertThat(texts(page("&tail=9000")))
                .hasSize(9_000)
                .startsWith("line 41000")
                .endsWith("line 49999");
    }

    @Test
    void aLogThatIsNotThereYetHasNoLines() throws IOException {
        assertThat(texts(page("&tail=5"))).isEmpty();
        assertThat(page("&limit=10").toString()).isEqualTo("{\"lines\":[],\"nextOffset\":0}");
    }

    @Test
    void aLineThatIsNotWrittenToItsEndIsLeftForTheNextPage() throws IOException {
        Files.writeString(file, "one\ntw");

        stepEnded(false);
        JsonNode first = page("");
        assertThat(texts(first)).containsExactly("one");
        assertThat(first.path("nextOffset").asLong()).isEqualTo(4);
        assertThat(texts(page("&tail=1"))).containsExactly("one");
        stepEnded(true);
        assertThat(texts(page("&offset=4"))).containsExactly("tw");
        assertThat(texts(page("&tail=1"))).containsExactly("tw");
    }

    @Test
    void aPageThatEndsWithinALineLeavesItForTheNext() throws IOException {
        Files.writeString(file, "one\ntwo\nthree, which is long\n");

        JsonNode first = page("&limit=6");
        assertThat(texts(first)).containsExactly("one");
        assertThat(texts(page("&limit=6&offset=" + first.path("nextOffset").asLong())))
                .containsExactly("two");
        JsonNode cut = page("&offset=8&limit=6");
        assertThat(texts(cut)).containsExactly("three,");
        assertThat(cut.path("nextOffset").asLong()).isEqualTo(14);
    }

    /** Of each answer all was in memory at once, so that a few dozen clients that did not read took all there is. */
    @Test
    void noMoreThanAPieceOfAPageIsReadAtOnce() throws IOException {
        Files.writeString(file, "a line of some length\n".repeat(20_000));

        StepLog log = StepLog.of(data, "run-1", "build.1.dev.1", "stdout");
        long size = Files.size(file);
        LogLines all = new LogLines(log, SaidLines::ofErrors, 0);
        LogLines tail = LogLines.tail(log, SaidLines::ofErrors, 9_000, size, true);
        for (LogLines lines : List.of(all, tail)) {
            LogForm page = new LogForm.Page(lines, size, size, true);
            Buffer piece = Buffer.buffer();
            while (piece.length() == 0) {
                assertThat(page.read(piece)).isTrue();
            }
            assertThat(piece.toString().split("offset", -1)).hasSizeLessThan(4_000);
        }
    }

    @Test
    void theTailOfVeryShortLinesIsTheEndAllTheSame() throws IOException {
        Files.writeString(file, "x\n".repeat(40_000) + "last\n");

        assertThat(texts(page("&tail=2"))).containsExactly("x", "last");
    }

    @Test
    void theTailOfAVeryLargeLogIsNotReadFromItsBegin() throws IOException {
        try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(1L << 40); // a hole: a reader of all of it would be busy for hours
            huge.seek(huge.length());
            huge.write("\nthe end\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(texts(page("&tail=1"))).containsExactly("the end");
    }

    @Test
    void offsetsAfterADroppedPartAreThoseOfTheLog() throws IOException {
        Files.writeString(file, "begin\n" + "\0".repeat(100) + "end\nmore\n");
        Files.writeString(file.resolveSibling("stdout.dropped.json"), "{\"from\": 6, \"to\": 106}");

        JsonNode page = page("");
        assertThat(texts(page)).hasSize(4).startsWith("begin").endsWith("end", "more");
        assertThat(page.at("/lines/1/text").asText()).contains("100 bytes were dropped");
        assertThat(page.at("/lines/2/offset").asLong()).isEqualTo(106);
        assertThat(page.at("/lines/3/offset").asLong()).isEqualTo(110);
        assertThat(page.path("nextOffset").asLong()).isEqualTo(115);
    }
}
