package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.Usage;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LiveUsageTest {
    private final AgentOutputReader claude = AgentOutput.reader(OutputDialect.CLAUDE_CODE, ErrorRules.builtIn());

    @Test
    void knowsNothingBeforeAnythingWasSaid() {
        for (OutputDialect dialect : OutputDialect.values()) {
            assertThat(AgentOutput.reader(dialect, ErrorRules.builtIn()).usageSoFar())
                    .isEqualTo(Usage.UNKNOWN);
        }
    }

    @Test
    void countsEachMessageOnceWithItsLastFigures() {
        say(message("a", 100, 1));
        say(message("a", 100, 30));
        say(message("b", 200, 5));
        say(message("a", 100, 31));
        assertThat(claude.usageSoFar()).isEqualTo(usage(OptionalDouble.empty(), 300, 36, 2));
    }

    @Test
    void replacesTheSumByTheTotalsOfTheResult() {
        say(message("a", 100, 1));
        say("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\"total_cost_usd\":0.5,"
                + "\"usage\":{\"input_tokens\":120,\"output_tokens\":40}}");
        assertThat(claude.usageSoFar()).isEqualTo(usage(OptionalDouble.of(0.5), 120, 40, 1));
    }

    @Test
    void keepsTheSumWhereTheResultReportsNone() {
        say(message("a", 100, 1));
        say("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"usage\":null}");
        assertThat(claude.usageSoFar()).isEqualTo(usage(OptionalDouble.empty(), 100, 1, 1));
    }

    @Test
    void countsTheTokensOfSubagentsButNotTheirTurns() {
        say(message("a", 100, 1));
        say(message("b", 50, 2).replace("{\"type\"", "{\"parent_tool_use_id\":\"toolu_1\",\"type\""));
        assertThat(claude.usageSoFar()).isEqualTo(usage(OptionalDouble.empty(), 150, 3, 1));
    }

    @Test
    void remembersAnyNumberOfMessagesInLittleMemory() {
        for (int i = 0; i < 10_000; i++) {
            say(message("m" + i, 2, 1));
        }
        assertThat(claude.usageSoFar()).isEqualTo(usage(OptionalDouble.empty(), 20_000, 10_000, 10_000));
    }

    @Test
    void sumsTheStepsOfOpencodeWhileTheyEnd() {
        AgentOutputReader opencode = AgentOutput.reader(OutputDialect.OPENCODE, ErrorRules.builtIn());
        String step =
                "{\"type\":\"step_finish\",\"part\":{\"reason\":\"tool-calls\",\"cost\":0.25,\"tokens\":{\"input\":3,"
                        + "\"output\":4,\"reasoning\":1,\"cache\":{\"read\":10,\"write\":20}}}}\n";
        byte[] bytes = (step + step).getBytes(StandardCharsets.UTF_8);
        opencode.stdout(bytes, 0, bytes.length);
        assertThat(opencode.usageSoFar()).isEqualTo(usage(OptionalDouble.of(0.5), 66, 10, 2));
    }

    private void say(String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        claude.stdout(bytes, 0, bytes.length);
    }

    private static String message(String id, long input, long output) {
        return "{\"type\":\"assistant\",\"message\":{\"id\":\"" + id + "\",\"usage\":{\"input_tokens\":" + input
                + ",\"output_tokens\":" + output + "}}}";
    }

    private static Usage usage(OptionalDouble cost, long input, long output, long turns) {
        return new Usage(cost, OptionalLong.of(input), OptionalLong.of(output), OptionalLong.of(turns));
    }
}
