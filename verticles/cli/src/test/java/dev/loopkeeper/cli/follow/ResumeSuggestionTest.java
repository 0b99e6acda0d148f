package dev.loopkeeper.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Explanation;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResumeSuggestionTest {
    private static final ObjectNode REFUSED = Json.MAPPER
            .createObjectNode()
            .put("maxIterations", 2)
            .put("feedback", "do")
            .set("budget", Json.MAPPER.createObjectNode().put("costUsd", 0.05));

    private static ResumeSuggestion of(String status, String actions, String needs, String accepts)
            throws JsonProcessingException {
        String text = """
                {"runId": "demo-1", "status": "%s", "summary": "s", "allowedActions": [%s], "needs": [%s], "accepts": [%s],
                 "effects": {}, "chain": []}
                """.formatted(status, actions, needs, accepts);
        return new ResumeSuggestion(ViewJson.read(Json.MAPPER.readTree(text), Explanation.class), REFUSED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "field": "budget.costUsd", "type": "number", "minimum": 3.34, "present": 3 | --budget-usd 6
            "field": "budget.costUsd", "type": "number", "minimum": 7.34, "present": 3 | --budget-usd 7.34
            "field": "budget.tokens", "type": "integer", "minimum": 11, "present": 10 | --budget-tokens 20
            "field": "maxIterations", "type": "integer", "minimum": 7, "present": 6 | --max-iterations 12
            "field": "maxAttempts", "type": "integer", "minimum": 4, "present": 3 | --max-attempts 6
            "field": "stopConditions.maxRejectRate", "type": "number", "minimum": 0.5, "present": 0.4 | --max-reject-rate 0.50
            "field": "resetItems", "type": "list", "choices": ["f1", "f2"] | --reset-items f1,f2
            "field": "waive", "type": "choice", "choices": ["lint"] | --waive lint
            "field": "acknowledge", "type": "boolean" | --acknowledge
            "field": "feedback", "type": "text" | --feedback TEXT
            """)
    void eachNeedIsAnOption(String need, String option) throws JsonProcessingException {
        ResumeSuggestion command = of("stopped", "\"continue\"", "{" + need + ", \"text\": \"why\"}", "");

        assertThat(command.line(Optional.empty())).contains("resume demo-1 " + option);
    }

    @Test
    void namesANeedWithItsAlternative() throws JsonProcessingException {
        String need = "{\"field\": \"maxIterations\", \"type\": \"integer\", \"text\": \"more than 6\", \"minimum\": 7,"
                + " \"present\": 6, \"alternatives\": [{\"field\": \"feedback\", \"type\": \"text\", \"text\": \"what to do\"}]}";

        assertThat(of("stopped", "\"continue\"", need, "").needs())
                .containsExactly(
                        "--max-iterations N, at least 7 (requested 2, now 6): more than 6; or --feedback TEXT: what to do");
    }

    /** A refused number was left out: what was suggested did something else. */
    @Test
    void aRefusedNumberGetsAValueThatIsAccepted() throws JsonProcessingException {
        String accepts = """
                {"field": "maxIterations", "type": "integer", "text": "more than 6", "minimum": 7, "present": 6},
                {"field": "budget.turns", "type": "integer", "text": "turns", "minimum": 3},
                {"field": "feedback", "type": "text", "text": "t"}""";
        ResumeSuggestion command = of("paused", "\"continue\"", "", accepts);

        assertThat(command.needs()).containsExactly("--max-iterations N, at least 7 (requested 2, now 6): more than 6");
        assertThat(command.line(Optional.empty())).contains("resume demo-1 continue --max-iterations 12");
    }

    @Test
    void aRefusedNumberKeepsAPresentValueThatIsAccepted() throws JsonProcessingException {
        String accepts = """
                {"field": "budget.costUsd", "type": "number", "text": "above $0.10", "minimum": 0.11, "present": 100.0}""";
        ResumeSuggestion command = of("stopped", "\"continue\"", "", accepts);

        assertThat(command.needs())
                .containsExactly("--budget-usd N, at least $0.11 (requested 0.05, now $100.00): above $0.10");
        assertThat(command.line(Optional.empty())).contains("resume demo-1 --budget-usd 100");
    }

    @Test
    void aCapOnTimeIsOfferedInMinutes() throws JsonProcessingException {
        String needs = """
                {"field": "budget.time", "type": "duration", "text": "above 1h", "minimum": 3600001, "present": 3600000,
                 "suggested": 7200000}""";
        ResumeSuggestion command = of("stopped", "\"continue\"", needs, "");

        assertThat(command.needs()).containsExactly("--budget-time DURATION, at least 1h (now 1h): above 1h");
        assertThat(command.line(Optional.empty())).contains("resume demo-1 --budget-time 120m");
        assertThat(command.body(Optional.empty())).map(Object::toString).contains("{\"budget\":{\"time\":\"120m\"}}");
    }

    @Test
    void aFailedGateCanBeWaived() throws JsonProcessingException {
        String waive = "{\"field\": \"waive\", \"type\": \"choice\", \"text\": \"ignored\", \"choices\": [\"lint\"]}";

        assertThat(of("failed", "\"continue\"", "", waive).others()).containsExactly("--waive lint: ignored");
        assertThat(of("failed", "\"continue\"", "", "").others()).isEmpty();
    }

    @Test
    void aThresholdThatStaysExceededIsResetUnlessItIsRaised() throws JsonProcessingException {
        String rate = "{\"field\": \"stopConditions.maxRejectRate\", \"type\": \"number\", \"text\": \"100% rejected\","
                + " \"minimum\": 1, \"present\": 0.3}";
        ResumeSuggestion command = of("stopped", "\"continue\"", "", rate);

        assertThat(command.line(Optional.empty())).contains("resume demo-1 --reset-statistics");
        assertThat(command.others()).containsExactly("--max-reject-rate N, at least 1 (now 0.3): 100% rejected");
        assertThat(command.body(Optional.empty())).map(Object::toString).contains("{\"resetStatistics\":true}");
    }

    @Test
    void suggestsTheActionAndTheAnswersOfAPausedRun() throws JsonProcessingException {
        String feedback = "{\"field\": \"feedback\", \"type\": \"text\", \"text\": \"t\", \"questions\": [\"Which?\"]}";
        String need =
                "{\"field\": \"acknowledge\", \"type\": \"boolean\", \"text\": \"t\", \"actions\": [\"continue\"]}";
        ResumeSuggestion command = of("paused", "\"continue\", \"stop_loop_now\"", need, feedback);

        assertThat(command.line(Optional.empty())).contains("resume demo-1 continue --acknowledge --feedback ANSWERS");
        assertThat(command.line(Optional.of("stop_loop_now")))
                .contains("resume demo-1 stop_loop_now --feedback ANSWERS");
        assertThat(command.line(Optional.of("dance"))).isEqualTo(command.line(Optional.empty()));
    }

    @Test
    void theBodyOfTheRequestSaysTheSameAsTheCommand() throws JsonProcessingException {
        String budget =
                "{\"field\": \"budget.costUsd\", \"type\": \"number\", \"text\": \"t\", \"minimum\": 3.34, \"present\": 3}";
        String items =
                "{\"field\": \"resetItems\", \"type\": \"list\", \"text\": \"t\", \"choices\": [\"f1\", \"f2\"]}";
        String words = "{\"field\": \"feedback\", \"type\": \"text\", \"text\": \"t\"}";

        assertThat(of("stopped", "\"continue\"", budget + ", " + items, "").body(Optional.empty()))
                .map(Object::toString)
                .contains("{\"budget\":{\"costUsd\":6.0},\"resetItems\":[\"f1\",\"f2\"]}");
        assertThat(of("stopped", "\"continue\"", words, "").body(Optional.empty()))
                .isEmpty();
        assertThat(of("paused", "\"continue\"", words, "").body(Optional.of("do")))
                .map(Object::toString)
                .contains("{\"action\":\"continue\",\"feedback\":\"do\"}");
        assertThat(of("running", "", "", "").body(Optional.of("do"))).isEmpty();
    }

    @Test
    void suggestsNothingForARunThatContinues() throws JsonProcessingException {
        assertThat(of("running", "", "", "").line(Optional.empty())).isEmpty();
    }
}
