package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Price;
import dev.loopkeeper.step.ErrorRules;
import dev.loopkeeper.step.ModelTokens;
import dev.loopkeeper.step.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A token is priced once, whatever its agent calls it, and a reported cost is never replaced. */
class EstimatedCostTest {
    private static final Price PRICE = new Price("gpt-5*", 1.25, 0.125, 2.5, 10, Optional.empty());
    private static final String COMPLETED = "{\"type\":\"turn.started\"}\n{\"type\":\"turn.completed\",\"usage\":"
            + "{\"input_tokens\":1000000,\"cached_input_tokens\":900000,\"output_tokens\":10000}}\n";
    private static final Pattern ROW =
            Pattern.compile("\\| `([a-z-]+)` \\| `([a-z.]+)` \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|");

    private static Policy pricing(Price... prices) {
        return new Policy(List.of(), List.of(), List.of(prices), List.of());
    }

    private static AgentOutputReader reader(OutputDialect dialect, CommandLine command, Policy policy) {
        ProgramSpec program = ProgramSpec.of(command).withOutput(dialect);
        return AgentOutput.reader(program, ErrorRules.builtIn(), () -> policy);
    }

    private static void feed(AgentOutputReader reader, byte[] output) {
        reader.stdout(output, 0, output.length);
    }

    private static Usage used(OutputDialect dialect, String command, String output, Policy policy) {
        AgentOutputReader reader = reader(dialect, CommandLine.ofShell(command), policy);
        feed(reader, output.getBytes(StandardCharsets.UTF_8));
        return reader.finish(Exits.exited(0), Transcript.NOW, Transcript.UTC)
                .summary()
                .usage();
    }

    private static Usage codex(String command, Policy policy) {
        return used(OutputDialect.CODEX, command, COMPLETED, policy);
    }

    static Stream<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("..", "docs", "agents.md"))).results();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachDialectCountsTokensAsTheDocumentsSay(MatchResult row) {
        OutputDialect dialect = Stream.of(OutputDialect.values())
                .filter(one -> one.wire().equals(row.group(1)))
                .findFirst()
                .orElseThrow();
        AgentOutputReader reader = reader(dialect, CommandLine.ofShell("x -m m"), Policy.NONE);
        feed(reader, Transcript.resource(row.group(1) + "/" + row.group(2)));
        Usage usage = reader.finish(Exits.exited(0), Transcript.NOW, Transcript.UTC)
                .summary()
                .usage();

        assertThat(reader.tokens()).singleElement().satisfies(tokens -> {
            assertThat(List.of(tokens.input(), tokens.cached(), tokens.cacheWritten(), tokens.output()))
                    .isEqualTo(Stream.of(3, 4, 5, 6)
                            .map(column -> Long.valueOf(row.group(column)))
                            .toList());
            assertThat(tokens.input() + tokens.cached() + tokens.cacheWritten())
                    .isEqualTo(usage.inputTokens().getAsLong());
            assertThat(tokens.output()).isEqualTo(usage.outputTokens().getAsLong());
        });
    }

    @Test
    void theTableHasEachDialect() throws IOException {
        assertThat(rows()).hasSize(OutputDialect.values().length - 1);
    }

    @Test
    void cachedTokensAreNotBilledAsInputToo() {
        Usage usage = codex("codex exec --json -m gpt-5-codex -", pricing(PRICE));

        assertThat(usage.costUsd().getAsDouble()).isCloseTo(0.125 + 0.1125 + 0.1, within(1e-9));
        assertThat(usage.estimated()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "codex -m gpt-5,true",
        "codex --model gpt-5.1 x,true",
        "codex --model=gpt-5,true",
        "codex -m 'gpt-5',true",
        "codex -m o4,false",
        "codex exec,false",
        "codex -m,false",
    })
    void theModelIsThatOfTheCommandIfTheOutputNamesNone(String command, boolean priced) {
        assertThat(codex(command, pricing(PRICE)).costUsd().isPresent()).isEqualTo(priced);
    }

    @Test
    void withoutAPriceTheCostStaysUnknown() {
        assertThat(codex("codex -m gpt-5", Policy.NONE)).isEqualTo(codex("codex", Policy.NONE));
        assertThat(codex("codex -m gpt-5", Policy.NONE).costUsd()).isEmpty();
    }

    @Test
    void eachModelOfAnOutputHasItsOwnPrice() {
        Price pro = new Price("*-pro", 1, 0.1, 0, 10, Optional.empty());
        Price flash = new Price("*-flash", 2, 2, 0, 20, Optional.empty());
        AgentOutputReader reader = reader(OutputDialect.GEMINI, CommandLine.ofShell("gemini"), pricing(pro, flash));
        feed(reader, Transcript.resource("gemini/success.json"));

        assertThat(reader.tokens())
                .containsExactly(
                        new ModelTokens(Optional.of("gemini-3-pro"), 400, 600, 0, 70),
                        new ModelTokens(Optional.of("gemini-3-flash"), 10, 0, 0, 5));
        assertThat(reader.usageSoFar().costUsd().getAsDouble())
                .isCloseTo((400 + 60 + 700 + 20 + 100) / 1e6, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"0.5", "0"})
    void aReportedCostIsNeverReplaced(double cost) {
        String opencode = "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\",\"cost\":" + cost
                + ",\"tokens\":{\"input\":1000,\"output\":7}}}\n";
        String claude =
                "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"x\",\"total_cost_usd\":"
                        + cost + ",\"usage\":{\"input_tokens\":1000,\"output_tokens\":7}}\n";

        for (Usage usage : List.of(
                used(OutputDialect.OPENCODE, "opencode -m gpt-5", opencode, pricing(PRICE)),
                used(OutputDialect.CLAUDE_CODE, "claude --model gpt-5", claude, pricing(PRICE)))) {
            assertThat(usage.costUsd()).hasValue(cost);
            assertThat(usage.estimated()).isFalse();
        }
    }

    @Test
    void anAgentOfAnotherProgramThatNamesItsModelOnceIsPriced() {
        Price auto = new Price("Auto", 1, 1, 1, 1, Optional.empty());
        AgentOutputReader reader = reader(OutputDialect.CLAUDE_CODE, CommandLine.ofShell("cursor"), pricing(auto));
        feed(reader, Transcript.resource("claude-code/cursor.jsonl"));

        Usage usage = reader.finish(Exits.exited(0), Transcript.NOW, Transcript.UTC)
                .summary()
                .usage();
        assertThat(usage.costUsd().getAsDouble()).isCloseTo(20 / 1e6, within(1e-12));
    }

    @Test
    void theCostOfALivingAgentIsEstimatedOnlyIfItNeverReportsOne() {
        String message = "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"model\":\"gpt-5\",\"usage\":"
                + "{\"input_tokens\":1000,\"output_tokens\":7}}}\n";
        AgentOutputReader claude = reader(OutputDialect.CLAUDE_CODE, CommandLine.ofShell("claude"), pricing(PRICE));
        AgentOutputReader codex = reader(OutputDialect.CODEX, CommandLine.ofShell("codex -m gpt-5"), pricing(PRICE));
        feed(claude, message.getBytes(StandardCharsets.UTF_8));
        feed(codex, COMPLETED.getBytes(StandardCharsets.UTF_8));

        assertThat(claude.usageSoFar().costUsd()).isEmpty();
        assertThat(codex.usageSoFar().estimated()).isTrue();
        assertThat(claude.finish(Exits.exited(1), Transcript.NOW, Transcript.UTC)
                        .summary()
                        .usage()
                        .estimated())
                .isTrue();
    }
}
