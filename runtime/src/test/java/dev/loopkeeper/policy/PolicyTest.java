package dev.loopkeeper.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.ProgramSpec;
import dev.loopkeeper.manifest.StepLimits;
import dev.loopkeeper.manifest.StopSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {
    private static final Pool CLAUDE = new Pool("claude-max", OptionalInt.of(3), List.of("claude"));
    private static final Pool CODEX = new Pool("codex", OptionalInt.empty(), List.of("codex"));
    private static final Policy POLICY = new Policy(List.of(CLAUDE, CODEX), List.of(), List.of(), List.of());

    private static Price price(String model, double input) {
        return new Price(model, input, input, input, input, Optional.empty());
    }

    private static Policy pricing(Price... prices) {
        return new Policy(List.of(), List.of(), List.of(prices), List.of());
    }

    private static AgentSpec agent(CommandLine command, Optional<String> pool) {
        StepLimits limits = new StepLimits(StopSpec.DEFAULTS, Optional.empty(), Optional.empty());
        return AgentSpec.of(ProgramSpec.of(command), limits).withPool(pool);
    }

    @ParameterizedTest
    @CsvSource({"claude -p,true,claude-max", "/opt/bin/codex,false,codex", "' codex exec x',true,codex", "sh,false,"})
    void anAgentBelongsToThePoolOfItsProgram(String command, boolean shell, String pool) {
        AgentSpec agent = agent(new CommandLine(List.of(command), shell), Optional.empty());

        assertThat(POLICY.poolOf(agent).map(Pool::name)).isEqualTo(Optional.ofNullable(pool));
    }

    @Test
    void thePoolThatAnAgentNamesPrecedesThatOfItsProgram() {
        CommandLine claude = CommandLine.ofWords(List.of("claude"));

        assertThat(POLICY.poolOf(agent(claude, Optional.of("codex")))).contains(CODEX);
        assertThat(POLICY.poolOf(agent(claude, Optional.of("gone")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "gpt-5-codex,1",
        "gpt-4o,2",
        "openai/gpt-5,3",
        "claude,",
        "GPT-5,",
        "gpt-,2",
    })
    void theFirstPriceThatFitsAModelCounts(String model, Double input) {
        Policy policy = pricing(price("gpt-5*", 1), price("gpt-*", 2), price("*/gpt-?", 3), price("gpt-5-codex", 4));

        assertThat(policy.priceOf(model).map(Price::inputPerMTok)).isEqualTo(Optional.ofNullable(input));
    }

    @ParameterizedTest
    @CsvSource({
        "/srv/**,/srv/a/b,true",
        "/srv/*,/srv/a,true",
        "/srv/*,/srv/a/b,false",
        "/srv/**,/srvx,false",
        "/a.b,/axb,false",
    })
    void theGlobOfAWorkspaceKnowsFolders(String glob, String workspace, boolean fits) {
        Cap.Match match = new Cap.Match(Optional.empty(), Optional.of(glob));

        assertThat(match.fits("any", workspace)).isEqualTo(fits);
    }

    @Test
    void aMatchFitsNameAndWorkspace() {
        Cap.Match match = new Cap.Match(Optional.of("fix-*"), Optional.of("/srv/**"));

        assertThat(match.fits("fix-it", "/srv/a")).isTrue();
        assertThat(match.fits("add-it", "/srv/a")).isFalse();
        assertThat(match.fits("fix-it", "/home/a")).isFalse();
        assertThat(Cap.Match.ALL.fits("any", "/any")).isTrue();
    }

    @Test
    void namesWhatAChangeAddsChangesAndRemoves() {
        Policy after = new Policy(
                List.of(new Pool("claude-max", OptionalInt.of(4), List.of("claude"))),
                List.of(),
                List.of(price("gpt-5*", 1)),
                List.of());

        assertThat(PolicyChanges.between(POLICY, after))
                .isEqualTo(
                        new PolicyChanges(List.of("price gpt-5*"), List.of("pool claude-max"), List.of("pool codex")));
        assertThat(PolicyChanges.between(POLICY, after).text())
                .isEqualTo("added price gpt-5*; changed pool claude-max; removed pool codex");
        assertThat(PolicyChanges.between(after, after).isEmpty()).isTrue();
    }

    @Test
    void theOrderOfPricesIsAChange() {
        PolicyChanges changes =
                PolicyChanges.between(pricing(price("a", 1), price("b", 2)), pricing(price("b", 2), price("a", 1)));

        assertThat(changes.changed()).containsExactly("order of prices");
    }
}
