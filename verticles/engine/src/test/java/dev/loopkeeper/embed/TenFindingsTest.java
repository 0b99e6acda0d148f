package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An agent that fixes exactly what its prompt names and nothing else, and ten findings of which one is named at a time:
 * each way in which work is judged converges, and none does without the context.
 */
class TenFindingsTest {
    private static final int FINDINGS = 10;
    private static final String FIX = """
            cp "$LOOPKEEPER_CONTEXT_FILE" "context.$LOOPKEEPER_STEP_ID"
            named=$(grep -o 'finding-[0-9]*' | head -n 1)
            [ -z "$named" ] || { grep -v -x "$named" findings > left; mv left findings; }
            """;
    private static final String JUDGE = """
            if [ -s findings ]; then
                printf '{"determination": "%s", "verdict": "%s", "keyConcern": "mend %s"}' STALLED rejected "$(head -n 1 findings)"
            else
                printf '{"determination": "SUCCESS", "verdict": "approved"}'
            fi > "$LOOPKEEPER_SIGNAL_FILE"
            """;
    private static final String CHECK = "[ ! -s findings ] || { head -n 1 findings; exit 1; }";
    private static final String AGENTS = """
            name: ten-findings
            retry: {stopConditions: {maxConsecutiveFails: 0, maxRejectRate: 0, maxRetryRate: 0}}
            agents:
              fix: {command: ./fix.sh, prompt: fix.md, context: %s, timeout: 1m}
              judge: {command: ./judge.sh, signal: .loopkeeper/judge.json, timeout: 1m}
              check: {command: ./check.sh, timeout: 1m}
            phases:
            """;

    @TempDir
    private Path folder;

    private Keeper keeper;

    @BeforeEach
    void startKeeper() throws IOException {
        keeper = new Keeper(folder.resolve("data"), folder.resolve("workspace"));
        keeper.script("fix.sh", FIX);
        keeper.script("judge.sh", JUDGE);
        keeper.script("check.sh", CHECK);
        Files.writeString(keeper.workspace().resolve("fix.md"), "Fix what is wrong, and nothing else.\n");
        Files.write(
                keeper.workspace().resolve("findings"),
                IntStream.rangeClosed(1, FINDINGS)
                        .mapToObj(number -> "finding-" + number)
                        .toList());
    }

    @AfterEach
    void closeKeeper() {
        keeper.close();
    }

    static Stream<Arguments> phases() {
        return Stream.of(
                        "  - {name: fix, loop: {steps: [fix, judge], maxIterations: 11, noProgress: 0}}\n",
                        "  - {name: fix, loop: {steps: [fix], maxIterations: 11, until: {command: ./check.sh}}}\n",
                        "  - {name: fix, task: fix}\n  - {name: verify, gate: check, retries: 10}\n",
                        "  - {name: fix, each: {items: [{id: all}], steps: [fix, judge], maxAttempts: 11}}\n")
                .flatMap(phase -> Stream.of(Arguments.of(phase, "append"), Arguments.of(phase, "none")));
    }

    @ParameterizedTest
    @MethodSource("phases")
    void whatIsSaidIsFixed(String phase, String context) throws IOException {
        String runId = keeper.start(AGENTS.formatted(context) + phase);
        JsonNode run = keeper.until(runId, "completed", "failed", "stopped", "paused");

        boolean knows = context.equals("append");
        assertThat(run.path("status").asText().equals("completed"))
                .as(run.toPrettyString())
                .isEqualTo(knows);
        assertThat(Files.readAllLines(keeper.workspace().resolve("findings"))).hasSize(knows ? 0 : FINDINGS);
        assertThat(fixes(runId)).hasSize(FINDINGS + 1);
        for (String step : fixes(runId)) {
            eventsSayTheSameAsTheFile(runId, step);
        }
    }

    /** Byte for byte: the file is gone once the step is over. */
    private void eventsSayTheSameAsTheFile(String runId, String stepId) throws IOException {
        byte[] known =
                Json.MAPPER.writeValueAsBytes(keeper.context(runId, stepId).orElseThrow());
        assertThat(keeper.workspace().resolve("context." + stepId)).hasBinaryContent(known);
    }

    private List<String> fixes(String runId) {
        return keeper.steps(runId)
                .valueStream()
                .map(step -> step.path("stepId").asText())
                .filter(step -> step.contains(".fix."))
                .toList();
    }
}
