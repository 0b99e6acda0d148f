package dev.loopkeeper.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.json.JsonProblem;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with the action of a control file names the action and those that are allowed. */
class ControlCommandTest {
    private static ControlCommand read(String json) {
        return ControlCommand.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"action": "rerun"}     | action is unknown: "rerun"; it must be stop, pause or resume
            {"action": "Stop"}      | action is unknown: "Stop"; it must be stop, pause or resume
            {"action": ""}          | action is unknown: ""; it must be stop, pause or resume
            {"action": 5}           | action is unknown: 5; it must be stop, pause or resume
            {"action": ["stop"]}    | action is unknown: ["stop"]; it must be stop, pause or resume
            {"action": "a\\u001b[2J"} | action is unknown: "a\\u001B[2J"; it must be stop, pause or resume
            {"action": null}        | action is missing; it must be stop, pause or resume
            {}                      | action is missing; it must be stop, pause or resume
            {"action": "resume", "resumeAction": "rerun"} | resumeAction is unknown: "rerun"; allowed are continue, retry_iteration, finish_loop, stop_loop_now, refine_plan, consult_reflection
            """)
    void anUnknownActionIsNamedWithTheAllowedOnes(String json, String problem) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(JsonProblem.class).hasMessage(problem);
    }

    @Test
    void aLongActionIsCut() {
        for (String file :
                new String[] {"{\"action\": \"%s\"}", "{\"action\": \"resume\", \"resumeAction\": \"%s\"}"}) {
            assertThatThrownBy(() -> read(file.formatted("x".repeat(60_000))))
                    .isInstanceOf(JsonProblem.class)
                    .hasMessageContaining("xxx…; ")
                    .satisfies(problem -> assertThat(problem.getMessage()).hasSizeLessThan(250));
        }
    }
}
