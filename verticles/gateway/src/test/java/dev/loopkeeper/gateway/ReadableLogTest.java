package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.agent.SaidLines;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadableLogTest {
    @TempDir
    private Path data;

    private Path file;
    private ReadableLog log;

    @BeforeEach
    void folder() throws IOException {
        Path step = Files.createDirectories(data.resolve("runs/r/steps/s"));
        file = step.resolve("stdout.log");
        log = new ReadableLog(
                new StepLog(data, "r", "s", "stdout"), offset -> SaidLines.ofOutput(OutputDialect.CODEX, offset));
    }

    private static JsonNode all(LinesPage page) throws IOException {
        ArrayNode lines = Json.MAPPER.createArrayNode();
        boolean more = true;
        while (more) {
            more = page.read(line -> lines.add(Json.MAPPER.valueToTree(line)));
        }
        ObjectNode whole = Json.MAPPER.createObjectNode();
        whole.set("lines", lines);
        return whole.put("nextOffset", page.next());
    }

    private static List<String> texts(JsonNode page) {
        List<String> texts = new ArrayList<>();
        page.path("lines").forEach(line -> texts.add(line.path("text").asText()));
        return texts;
    }

    @Test
    void oneGoesOnWhereThePageEnded() throws IOException {
        Files.writeString(file, "one\n{\"type\":\"error\",\"message\":\"two\"}\n");
        JsonNode first = all(log.from(0, Long.MAX_VALUE, true));
        assertThat(texts(first)).containsExactly("one", "two");
        assertThat(first.at("/lines/1/kind").asText()).isEqualTo("error");
        assertThat(first.at("/lines/1/offset").asLong()).isEqualTo(4);

        Files.writeString(file, Files.readString(file) + "three\n");

        assertThat(texts(all(log.from(first.path("nextOffset").asLong(), Long.MAX_VALUE, true))))
                .containsExactly("three");
    }

    @Test
    void theTailOfALongLogIsReadFromItsEnd() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            text.append("line ").append(i).append('\n');
        }
        Files.writeString(file, text);

        assertThat(texts(all(log.tail(3, true)))).containsExactly("line 49997", "line 49998", "line 49999");
        assertThat(texts(all(log.tail(9_000, true))))
                .hasSize(9_000)
                .startsWith("line 41000")
                .endsWith("line 49999");
    }

    @Test
    void aLogThatIsNotThereYetHasNoLines() throws IOException {
        assertThat(texts(all(log.tail(5, true)))).isEmpty();
        assertThat(all(log.from(0, 10, true)).toString()).isEqualTo("{\"lines\":[],\"nextOffset\":0}");
    }

    @Test
    void aLineThatIsNotWrittenToItsEndIsLeftForTheNextPage() throws IOException {
        Files.writeString(file, "one\ntw");

        JsonNode first = all(log.from(0, Long.MAX_VALUE, false));
        assertThat(texts(first)).containsExactly("one");
        assertThat(first.path("nextOffset").asLong()).isEqualTo(4);
        assertThat(texts(all(log.from(4, Long.MAX_VALUE, true)))).containsExactly("tw");
        assertThat(texts(all(log.tail(1, false)))).containsExactly("one");
        assertThat(texts(all(log.tail(1, true)))).containsExactly("tw");
    }

    @Test
    void aPageThatEndsWithinALineLeavesItForTheNext() throws IOException {
        Files.writeString(file, "one\ntwo\nthree, which is long\n");

        JsonNode first = all(log.from(0, 6, true));
        assertThat(texts(first)).containsExactly("one");
        assertThat(texts(all(log.from(first.path("nextOffset").asLong(), 6, true))))
                .containsExactly("two");
        JsonNode cut = all(log.from(8, 6, true));
        assertThat(texts(cut)).containsExactly("three,");
        assertThat(cut.path("nextOffset").asLong()).isEqualTo(14);
    }

    /** Of each answer all was in memory at once, so that a few dozen clients that did not read took all there is. */
    @Test
    void noMoreThanAPieceOfAPageIsReadAtOnce() throws IOException {
        Files.writeString(file, "a line of some length\n".repeat(20_000));

        for (LinesPage page : List.of(log.from(0, Long.MAX_VALUE, true), log.tail(9_000, true))) {
            List<String> piece = new ArrayList<>();
            while (piece.isEmpty()) {
                assertThat(page.read(line -> piece.add(line.text()))).isTrue();
            }
            assertThat(piece).hasSizeLessThan(4_000);
        }
    }

    @Test
    void theTailOfVeryShortLinesIsTheEndAllTheSame() throws IOException {
        Files.writeString(file, "x\n".repeat(40_000) + "last\n");

        assertThat(texts(all(log.tail(2, true)))).containsExactly("x", "last");
    }

    @Test
    void theTailOfAVeryLargeLogIsNotReadFromItsBegin() throws IOException {
        try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(1L << 40); // a hole: whoever read it all would be busy for hours
            huge.seek(huge.length());
            huge.write("\nthe end\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(texts(all(log.tail(1, true)))).containsExactly("the end");
    }

    @Test
    void offsetsAfterADroppedPartAreThoseOfTheLog() throws IOException {
        Files.writeString(file, "begin\n" + "\0".repeat(100) + "end\nmore\n");
        Files.writeString(file.resolveSibling("stdout.dropped.json"), "{\"from\": 6, \"to\": 106}");

        JsonNode page = all(log.from(0, Long.MAX_VALUE, true));
        assertThat(texts(page)).hasSize(4).startsWith("begin").endsWith("end", "more");
        assertThat(page.at("/lines/1/text").asText()).contains("100 bytes were dropped");
        assertThat(page.at("/lines/2/offset").asLong()).isEqualTo(106);
        assertThat(page.at("/lines/3/offset").asLong()).isEqualTo(110);
        assertThat(page.path("nextOffset").asLong()).isEqualTo(115);
    }
}
