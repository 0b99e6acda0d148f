package dev.loopkeeper.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.Manifest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverridesTest extends SubmitFixture {
    private Manifest with(String path, String value) {
        return accepted(submit(manifest(MANIFEST), overriding(path, value))).manifest();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"phases[0].loop.maxIterations", "phases.build.loop.maxIterations", "phases.0.loop.maxIterations"
            })
    void aListIsAddressedByIndexOrName(String path) {
        assertThat(((LoopPhase) with(path, "7").phase(0)).maxIterations()).isEqualTo(7);
    }

    @Test
    void whatIsNotThereYetIsMade() {
        assertThat(with("budget.costUsd", "2.5").budget().costUsd()).isEqualTo(OptionalDouble.of(2.5));
        assertThat(with("retry.stopConditions.maxRetryRate", "null")
                        .retry()
                        .stopConditions()
                        .maxRetryRate())
                .isZero();
    }

    @Test
    void valuesAreYaml() {
        assertThat(with("agents.dev.command", "[sh, -c, 'exit 0']")
                        .agents()
                        .get("dev")
                        .program()
                        .command()
                        .words())
                .isEqualTo(List.of("sh", "-c", "exit 0"));
        assertThat(with("name", "other").name()).isEqualTo("other");
        assertThat(with("workspace", "").workspace()).isEqualTo(".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"7e12345", "+49301234", ".5", "1.10", "True", "010"})
    void scalarsKeepTheTextThatWasWritten(String written) {
        assertThat(with("env", "{A: " + written + "}").env()).containsEntry("A", written);
        assertThat(with("agents.dev.env.A", written)
                        .agents()
                        .get("dev")
                        .program()
                        .env())
                .containsEntry("A", written);
        assertThat(with("agents.dev.command", "[sh, " + written + "]")
                        .agents()
                        .get("dev")
                        .program()
                        .command()
                        .words())
                .containsExactly("sh", written);
    }

    @Test
    void laterOverridesSeeEarlierOnes() {
        Map<String, String> overrides = new LinkedHashMap<>();
        overrides.put("phases[0].name", "other");
        overrides.put("phases.other.loop.pauseEvery", "2");

        Manifest manifest = accepted(
                        submit(manifest(MANIFEST), new SubmitOptions(Optional.empty(), Map.of(), overrides)))
                .manifest();

        assertThat(((LoopPhase) manifest.phase(0)).pauseEvery()).isEqualTo(2);
    }

    @Test
    void varsAreLaidOverThoseOfTheManifest() {
        SubmitOptions options = new SubmitOptions(Optional.empty(), Map.of("a", "7", "b", "8"), Map.of());

        assertThat(accepted(submit(manifest(MANIFEST + "vars: {a: 1, c: 3}\n"), options))
                        .manifest()
                        .vars())
                .isEqualTo(Map.of("a", "7", "b", "8", "c", "3"));
        assertThat(accepted(submit(manifest(MANIFEST), options)).manifest().vars())
                .isEqualTo(Map.of("a", "7", "b", "8"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            phases.bild.name    | x    | phases.bild.name: cannot be set: the list has 1 elements, but no element bild (did you mean build?)
            phases[1].name      | x    | phases[1].name: cannot be set: the list has 1 elements, but no element 1
            name.first          | x    | name.first: cannot be set: there is no map for first
            a..b                | x    | a..b: cannot be set: expected a path
            name                | '[a' | name: the value is not valid YAML: line
            budget.cost         | 1    | budget.cost: unknown key
            phases.build.loop.maxIterations | many | phases[0].loop.maxIterations: expected a whole number, found text
            """)
    void whatCannotBeSetIsRefused(String path, String value, String expected) {
        assertThat(refused(submit(manifest(MANIFEST), overriding(path, value))))
                .singleElement()
                .asString()
                .startsWith(expected);
    }
}
