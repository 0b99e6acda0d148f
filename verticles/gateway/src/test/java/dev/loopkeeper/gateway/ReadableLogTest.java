package dev.loopkeeper.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.agent.said.SaidLines;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;
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

    private static List<String> texts(JsonNode page) {
        List<String> texts = new ArrayList<>();
        page.path("lines").forEach(line -> texts.add(line.path("text").asText()));
        return texts;
    }

    @Test
    void oneGoesOnWhereThePageEnded() throws IOException {
        Files.writeString(file, "one\n{\"type\":\"error\",\"message\":\"two\"}\n");
        JsonNode first = log.from(0, Long.MAX_VALUE);
        assertThat(texts(first)).containsExactly("one", "two");
        assertThat(first.at("/lines/1/kind").asText()).isEqualTo("error");
        assertThat(first.at("/lines/1/offset").asLong()).isEqualTo(4);

        Files.writeString(file, Files.readString(file) + "three\n");

        assertThat(texts(log.from(first.path("nextOffset").asLong(), Long.MAX_VALUE)))
                .containsExactly("three");
    }

    @Test
    void theTailOfALongLogIsReadFromItsEnd() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            text.append("line ").append(i).append('\n');
        }
        Files.writeString(file, text);

        assertThat(texts(log.tail(3))).containsExactly("line 49997", "line 49998", "line 49999");
        assertThat(texts(log.tail(9_000)))
                .hasSize(9_000)
                .startsWith("line 41000")
                .endsWith("line 49999");
    }

    @Test
    void aLogThatIsNotThereYetHasNoLines() throws IOException {
        assertThat(texts(log.tail(5))).isEmpty();
        assertThat(log.from(0, 10).toString()).isEqualTo("{\"lines\":[],\"nextOffset\":0}");
    }
}
