package dev.loopkeeper.manifest.read;

import static dev.loopkeeper.manifest.read.ManifestTexts.valid;
import static dev.loopkeeper.manifest.read.ManifestTexts.with;
import static dev.loopkeeper.manifest.read.ManifestTexts.withAgent;
import static dev.loopkeeper.manifest.read.ManifestTexts.withPhase;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.manifest.AgentSpec;
import dev.loopkeeper.manifest.BackoffSpec;
import dev.loopkeeper.manifest.Budget;
import dev.loopkeeper.manifest.CommandLine;
import dev.loopkeeper.manifest.Containment;
import dev.loopkeeper.manifest.EachPhase;
import dev.loopkeeper.manifest.GatePhase;
import dev.loopkeeper.manifest.LoopPhase;
import dev.loopkeeper.manifest.LoopStep;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.OnRuntimeDeath;
import dev.loopkeeper.manifest.OnStalled;
import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.manifest.RetryPolicy;
import dev.loopkeeper.manifest.StopConditionLimits;
import dev.loopkeeper.manifest.StopSpec;
import dev.loopkeeper.manifest.TransientSpec;
import dev.loopkeeper.manifest.Until;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestDefaultsTest {
    @Test
    void aSmallManifestHasTheDefaultsOfTheSpecification() {
        Manifest manifest = valid(with(""));

        assertThat(manifest.workspace()).isEqualTo(".");
        assertThat(manifest.env()).isEmpty();
        assertThat(manifest.budget()).isEqualTo(Budget.NONE);
        assertThat(manifest.retry()).isEqualTo(RetryPolicy.DEFAULTS);
        assertThat(manifest.notifications()).isEmpty();
        assertThat(manifest.reasons()).isEmpty();
    }

    @Test
    void aLoopOfAgentsWithoutSignalsEndsWithItsIterations() {
        assertThat(valid(withPhase("{name: build, loop: {steps: [dev]}}")).phase(0))
                .isEqualTo(new LoopPhase(
                        "build",
                        20,
                        List.of(new LoopStep("dev", 1, false)),
                        new Until.Iterations(),
                        OnStalled.CONTINUE,
                        0,
                        0,
                        true));
    }

    @Test
    void aLoopWithASignalWaitsForItAndChecksProgress() {
        LoopPhase loop = (LoopPhase)
                valid(withPhase("{name: build, loop: {steps: [dev, judge]}}")).phase(0);

        assertThat(loop.until()).isEqualTo(new Until.Signal());
        assertThat(loop.noProgress()).isEqualTo(3);
    }

    @Test
    void anEachPhaseHasThreeAttemptsOneAtATime() {
        assertThat(valid(withPhase("{name: build, each: {itemsFrom: items.json, steps: [dev]}}"))
                        .phase(0))
                .isEqualTo(new EachPhase("build", List.of(), Optional.of("items.json"), List.of("dev"), 3, 1, true));
    }

    @Test
    void aGateIsRetriedOnceAndMayComeFirst() {
        assertThat(valid(withPhase("{name: build, gate: dev}")).phase(0))
                .isEqualTo(new GatePhase("build", "dev", 1, true));
    }

    /** It used to write the words of a command again, and a second reader of the same tree failed. */
    @Test
    void aDocumentOfTextsIsReadWithoutAChange() {
        JsonNode document = ((DocumentReading.Parsed)
                        ManifestText.parse(with("env: {A: b, C: d}").replace("command: [dev]", "command: [dev, now]")))
                .document();
        Iterator<JsonNode> words = document.at("/agents/dev/command").elements();
        Iterator<JsonNode> variables = document.path("env").elements();
        assertThat(List.of(words.next(), variables.next())).hasSize(2);

        assertThat(ManifestReader.read(document)).isInstanceOf(ManifestReading.Valid.class);

        assertThat(words.next().textValue()).isEqualTo("now");
        assertThat(variables.next().textValue()).isEqualTo("d");
    }

    @Test
    void nullIsTheSameAsAbsent() {
        Manifest manifest = valid(with("""
                workspace: null
                env: {A: null, B: b}
                vars: ~
                budget: {costUsd: null}
                retry: {backoff: null, stopConditions: null}
                notify:
                """));

        assertThat(manifest.workspace()).isEqualTo(".");
        assertThat(manifest.env()).isEqualTo(Map.of("B", "b"));
        assertThat(manifest.retry()).isEqualTo(RetryPolicy.DEFAULTS);
    }

    @Test
    void numbersAndTruthsAreTextsInEnvironmentsAndVars() {
        Manifest manifest = valid(with("vars: {a: 7, b: true, c: 1.10, d: on, e: ''}\nenv: {PORT: 8080}\n"));

        assertThat(manifest.vars()).isEqualTo(Map.of("a", "7", "b", "true", "c", "1.10", "d", "on", "e", ""));
        assertThat(manifest.env()).isEqualTo(Map.of("PORT", "8080"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7e12345",
                "+49301234",
                ".5",
                "5.",
                "1.10",
                "1e5",
                "1E5",
                "-0",
                "-0.0",
                "0.0",
                "010",
                "0x1F",
                "1_000",
                "1:30",
                "yes",
                "Off",
                "True",
                "FALSE",
                "2026-11-26",
                "123456789012345678901234567890",
                "0e0",
                ".inf",
                "0o17",
                "0b11",
                "00",
                "1e9999999999",
                "+.5e3",
                "6.02e23",
                "1.0",
                "n"
            })
    void scalarsOfEnvVarsAndCommandsKeepTheirText(String written) {
        String parts = """
                name: n
                env: {A: %1$s}
                vars:
                  a: %1$s
                agents:
                  dev:
                    command:
                      - echo
                      - %1$s
                    env:
                      B: %1$s
                phases: [{name: p, each: {items: [{id: i, vars: {c: %1$s}}], steps: [dev]}}]
                """;
        DocumentReading.Parsed parsed = (DocumentReading.Parsed) ManifestText.parse(parts.formatted(written));

        Manifest manifest = ((ManifestReading.Valid) ManifestReader.read(parsed.document())).manifest();

        assertThat(manifest.env()).isEqualTo(Map.of("A", written));
        assertThat(manifest.vars()).isEqualTo(Map.of("a", written));
        assertThat(manifest.agents().get("dev").program().command().words()).containsExactly("echo", written);
        assertThat(manifest.agents().get("dev").program().env()).isEqualTo(Map.of("B", written));
        assertThat(((EachPhase) manifest.phase(0)).items().get(0).vars()).isEqualTo(Map.of("c", written));
        assertThat(ManifestTexts.read(parsed.document().toString()))
                .as("the document as JSON means the same")
                .isEqualTo(new ManifestReading.Valid(manifest));
    }

    @Test
    void numbersOfOtherKeysMayBeWrittenInAnyWay() {
        Manifest manifest = valid(with("budget: {costUsd: .5, tokens: +7, warnAt: 5e-1}\n"));

        assertThat(manifest.budget().costUsd()).hasValue(0.5);
        assertThat(manifest.budget().tokens()).hasValue(7);
        assertThat(manifest.budget().warnAt()).isEqualTo(0.5);
    }

    @Test
    void wordsOfACommandMayBeNumbers() {
        assertThat(valid(with("").replace("[dev]", "[sleep, 5, true]"))
                        .agents()
                        .get("dev")
                        .program()
                        .command())
                .isEqualTo(new CommandLine(List.of("sleep", "5", "true"), false));
    }

    @ParameterizedTest
    @CsvSource({
        "until: iterations, Iterations[]",
        "until: signal, Signal[]",
        "until: {output: DONE}, Output[text=DONE]",
        "'until: {command: [test, -f, done]}', 'Command[command=CommandLine[words=[test, -f, done], shell=false], timeout=PT30M, idleTimeout=Optional.empty, first=true]'",
        "'until: {command: test -f done, timeout: 5s, idleTimeout: 1s}', 'Command[command=CommandLine[words=[test -f done], shell=true], timeout=PT5S, idleTimeout=Optional[PT1S], first=true]'"
    })
    void everyKindOfEndIsRead(String key, String expected) {
        LoopPhase loop = (LoopPhase) valid(withPhase("{name: build, loop: {steps: [dev], " + key + "}}"))
                .phase(0);

        assertThat(loop.until()).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{stopConditions: {maxRetryRate: 0.9, maxRejectRate: 0.8, maxConsecutiveFails: 7}}",
                "{stop_conditions: {max_retry_rate: 0.9, max_reject_rate: 0.8, max_consecutive_fails: 7}}",
                "{stopConditions: null, stop_conditions: {maxRetryRate: null, max_retry_rate: 0.9, max_reject_rate: 0.8,"
                        + " max_consecutive_fails: 7}}",
                "{stopConditions: {max_retry_rate: 0.9, maxRejectRate: 0.8, max_consecutive_fails: 7}}"
            })
    void bothSpellingsOfStopConditionsAreRead(String retry) {
        assertThat(valid(with("retry: " + retry)).retry().stopConditions())
                .isEqualTo(new StopConditionLimits(0.9, 0.8, 7, 50, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "null", "~"})
    void zeroOrNullTurnsAStopConditionOff(String off) {
        String conditions = "retry: {stop_conditions: {max_retry_rate: %1$s, maxRejectRate: %1$s,"
                + " max_consecutive_fails: %1$s, circuitBreaker: %1$s}}";

        assertThat(valid(with(conditions.formatted(off))).retry().stopConditions())
                .isEqualTo(new StopConditionLimits(0, 0, 0, 0, 3));
    }

    @Test
    void retryAndStopAreRead() {
        RetryPolicy retry = valid(with("retry: {backoff: {initial: 2s, factor: 1.5, max: 1h, jitter: 0},"
                        + " transient: {max: 0, wait: never}}"))
                .retry();
        AgentSpec agent = valid(withAgent("stop: {signal: INT, grace: 0s}, containment: namespace,"
                        + " onRuntimeDeath: kill, output: gemini"))
                .agents()
                .get("dev");

        assertThat(retry.backoff()).isEqualTo(new BackoffSpec(Duration.ofSeconds(2), 1.5, Duration.ofHours(1), 0));
        assertThat(retry.transientErrors()).isEqualTo(new TransientSpec(0, false, 100));
        assertThat(agent.limits().stop()).isEqualTo(new StopSpec("INT", Duration.ZERO));
        assertThat(agent.loss().containment()).isEqualTo(Containment.NAMESPACE);
        assertThat(agent.loss().onRuntimeDeath()).isEqualTo(OnRuntimeDeath.KILL);
        assertThat(agent.program().output()).isEqualTo(OutputDialect.GEMINI);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "output: text;",
                "output: claude-code; PT1H",
                "'output: claude-code, timeout: 2h'; PT1H",
                "'output: claude-code, timeout: 45m'; PT1H",
                "'output: claude-code, idleTimeout: off';",
                "'output: claude-code, idleTimeout: \"off\"';",
                "'output: claude-code, idleTimeout: 10m'; PT10M",
                "'output: text, idleTimeout: 10m'; PT10M",
            })
    void anAgentWithRecordsMayBeSilentForAnHour(String keys, Duration limit) {
        AgentSpec agent = valid(withAgent(keys)).agents().get("dev");

        assertThat(agent.limitsInForce().idleTimeout()).isEqualTo(Optional.ofNullable(limit));
    }
}
