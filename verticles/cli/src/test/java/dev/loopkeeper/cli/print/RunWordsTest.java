package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.loopkeeper.checkpoint.ViewJson;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.Run;
import org.junit.jupiter.api.Test;

class RunWordsTest {
    private static Run run(String kind, String iteration, int units) throws JsonProcessingException {
        return ViewJson.run(Json.MAPPER.readTree("""
                {"status": "paused", "position": {"phase": "build", "iteration": %s, "item": null, "stepId": null},
                 "phases": [{"name": "build", "kind": "%s", "status": "active"}],
                 "statistics": {"itemsTotal": %d}, "executions": []}
                """.formatted(iteration, kind, units)));
    }

    @Test
    void anIterationThatAskedIsOneOfThoseThatWereSpent() throws JsonProcessingException {
        assertThat(RunWords.spent(run("loop", "3", 2))).contains("3 iterations");
        assertThat(RunWords.spent(run("loop", "1", 0))).contains("1 iteration");
        assertThat(RunWords.spent(run("loop", "null", 2))).contains("2 iterations");
        assertThat(RunWords.spent(run("each", "null", 2))).contains("2 units");
        assertThat(RunWords.spent(run("task", "null", 0))).isEmpty();
    }

    @Test
    void aRunThatWaitsForANodeSaysWhichAndWhatElse() throws JsonProcessingException {
        Run waits = ViewJson.run(Json.MAPPER.readTree("""
                {"status": "running", "position": {"phase": "build", "iteration": 3, "item": null, "stepId": "build.3.dev.1"},
                 "waitsFor": "n1, silent 3 m", "executions": []}
                """));

        assertThat(RunWords.why(waits, Times.here())).isEqualTo("waits for n1, silent 3 m; build.3.dev.1");
        assertThat(RunWords.waits(run("task", "null", 0))).isEmpty();
    }
}
