package dev.loopkeeper.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeWriterTest {
    @ParameterizedTest
    @CsvSource({
        "2026-11-20T15:20:11Z, 2026-11-20T15:20:11.000Z",
        "2026-11-20T15:20:11.120Z, 2026-11-20T15:20:11.120Z",
        "2026-11-20T15:20:11.120400Z, 2026-11-20T15:20:11.120400Z",
        "2026-11-20T15:20:00Z, 2026-11-20T15:20:00.000Z",
        "+12345-06-07T08:09:10Z, +12345-06-07T08:09:10.000Z"
    })
    void aTimeHasItsMilliseconds(String time, String written) throws JsonProcessingException {
        String json = Json.MAPPER.writeValueAsString(Instant.parse(time));

        assertThat(json).isEqualTo("\"" + written + "\"");
        assertThat(Json.MAPPER.readValue(json, Instant.class)).isEqualTo(time);
        assertThat(Json.MAPPER.valueToTree(Instant.parse(time)).asText()).isEqualTo(written);
    }
}
