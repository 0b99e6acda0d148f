package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"runId": "r", "damage": "torn"}       | the record of this run is damaged: torn
            {"runId": "r", "status": "hibernating"} | hibernating
            """)
    void whatCannotBeUnderstoodEndsTheCommandWithTheReason(String text, String reason) throws JsonProcessingException {
        Document<Run> document = new Document<>(Json.MAPPER.readTree(text), Run.class);

        assertThatThrownBy(document::view)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(reason)
                .extracting(failure -> ((CommandFailure) failure).exitCode())
                .isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(document.json().path("runId").asText()).isEqualTo("r");
    }
}
