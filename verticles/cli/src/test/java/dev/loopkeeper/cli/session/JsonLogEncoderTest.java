package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JsonLogEncoderTest {
    private static final Logger LOGGER = new LoggerContext().getLogger("dev.loopkeeper.scheduler.RunActor");

    private static JsonNode line(Throwable failure, String message, Object... arguments) throws IOException {
        LoggingEvent event = new LoggingEvent("", LOGGER, Level.WARN, message, failure, arguments);
        event.setInstant(Instant.parse("2026-11-20T15:12:33.120Z"));
        String text = new String(new JsonLogEncoder().encode(event), StandardCharsets.UTF_8);
        assertThat(text).endsWith("}\n");
        assertThat(text.strip()).doesNotContain("\n");
        return Json.MAPPER.readTree(text);
    }

    @Test
    void aLineIsOneObjectWithTheNamedFields() throws IOException {
        assertThat(line(null, "port {} is in use", 7420)).isEqualTo(Json.MAPPER.readTree("""
                {"timestamp": "2026-11-20T15:12:33.120Z", "level": "WARN",
                 "logger": "dev.loopkeeper.scheduler.RunActor", "message": "port 7420 is in use"}"""));
    }

    @Test
    void runAndStepAreFieldsOfTheirOwn() throws IOException {
        JsonNode both = line(null, "run {}: the signal of step {} is late: {}", "r1", "build.3.dev.1", "x");
        assertThat(both.path("runId").asText()).isEqualTo("r1");
        assertThat(both.path("stepId").asText()).isEqualTo("build.3.dev.1");
        assertThat(both.path("message").asText()).isEqualTo("run r1: the signal of step build.3.dev.1 is late: x");

        JsonNode key = line(null, "{} and step {}", "another", "r2/build.1.dev.1");
        assertThat(key.path("runId").asText()).isEqualTo("r2");
        assertThat(key.path("stepId").asText()).isEqualTo("build.1.dev.1");
    }

    @Test
    void anExceptionStaysInItsLine() throws IOException {
        JsonNode line = line(new IOException("disk\nfull"), "run {} broke", "r1");

        assertThat(line.path("runId").asText()).isEqualTo("r1");
        assertThat(line.path("exception").asText())
                .startsWith("java.io.IOException: disk\nfull")
                .contains("at " + JsonLogEncoderTest.class.getName());
    }

    @Test
    void aMessageWithoutArgumentsIsTakenAsItIs() throws IOException {
        assertThat(line(null, "run {} without arguments").path("message").asText())
                .isEqualTo("run {} without arguments");
    }
}
