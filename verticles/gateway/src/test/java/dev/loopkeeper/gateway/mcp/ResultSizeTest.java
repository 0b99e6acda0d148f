package dev.loopkeeper.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResultSizeTest {
    private static int bytes(ObjectNode document) {
        return document.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void keepsADocumentThatFits() {
        ObjectNode small = Json.MAPPER.createObjectNode().put("a", "b");
        assertThat(ResultSize.fitted(small, "", MissingNode.getInstance())).isSameAs(small);
    }

    @Test
    void cutsALongTextAtACharacterAndSaysHowToReadOn() {
        ObjectNode long1 = Json.MAPPER.createObjectNode().put("text", "ä".repeat(50_000));
        ObjectNode fitted = ResultSize.fitted(long1, "call logs", MissingNode.getInstance());
        assertThat(bytes(fitted)).isLessThanOrEqualTo(McpLimits.RESULT_BYTES);
        assertThat(fitted.path("text").asText()).matches("ä+… \\[cut]");
        assertThat(fitted.path("truncated").asText()).contains("call logs");
    }

    @Test
    void cutsLogLinesWhereTheNextPageBegins() {
        ObjectNode log = Json.MAPPER.createObjectNode().put("nextOffset", 1_000_000);
        ArrayNode lines = log.putArray("lines");
        for (int line = 0; line < 1000; line++) {
            lines.addObject().put("offset", line * 1000).put("text", "x".repeat(200));
        }
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.put("lines", "lines").put("next", "nextOffset").put("at", "offset");

        ObjectNode fitted = ResultSize.fitted(log, "", page);

        assertThat(bytes(fitted)).isLessThanOrEqualTo(McpLimits.RESULT_BYTES);
        assertThat(fitted.path("lines").size()).isPositive();
        assertThat(fitted.path("nextOffset").asInt())
                .isEqualTo(fitted.path("lines").size() * 1000);
    }

    @Test
    void boundsADocumentOfManyMembers() {
        ObjectNode wide = Json.MAPPER.createObjectNode();
        for (int member = 0; member < 100; member++) {
            wide.putObject("m" + member).put("text", "x".repeat(400));
        }
        assertThat(bytes(ResultSize.fitted(wide, "", MissingNode.getInstance())))
                .isLessThanOrEqualTo(McpLimits.RESULT_BYTES);
    }
}
