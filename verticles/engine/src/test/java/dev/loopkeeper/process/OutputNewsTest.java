package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.data.LogFile;
import dev.loopkeeper.manifest.OutputDialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputNewsTest {
    private static final Instant BEGIN = Instant.parse("2026-11-20T15:00:00Z");

    @TempDir
    Path folder;

    /** It talks each second, and was ended as idle. */
    @Test
    void anAgentThatTruncatesItsLogTalksAllTheSame() throws IOException {
        OutputNews news = new OutputNews(new LogFile(folder, "stdout"), OutputDialect.TEXT);

        assertThat(printed(news, "a line of some length\n", 1)).isEqualTo(BEGIN.plusSeconds(1));
        assertThat(printed(news, "tick\n", 2)).isEqualTo(BEGIN.plusSeconds(2));
        assertThat(printed(news, "tock\n", 3)).isEqualTo(BEGIN.plusSeconds(3));
        assertThat(news.lastNews(BEGIN.plusSeconds(3))).isEqualTo(BEGIN.plusSeconds(3));
    }

    /** That Loopkeeper drops a part of the log changes the file, too. */
    @Test
    void whatTheLimitOfLogsDropsIsNoNews() throws IOException {
        OutputNews news = new OutputNews(new LogFile(folder, "stdout"), OutputDialect.TEXT);
        assertThat(printed(news, "x".repeat(99), 1)).isEqualTo(BEGIN.plusSeconds(1));

        Files.writeString(folder.resolve("stdout.dropped.json"), "{\"from\":10,\"to\":90}");

        assertThat(news.lastNews(BEGIN.plusSeconds(2))).isEqualTo(BEGIN.plusSeconds(1));
    }

    private Instant printed(OutputNews news, String text, int second) throws IOException {
        Files.writeString(folder.resolve("stdout.log"), text);
        return news.lastNews(BEGIN.plusSeconds(second));
    }
}
