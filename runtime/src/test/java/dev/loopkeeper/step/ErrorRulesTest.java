package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.ErrorRuleSpec;
import dev.loopkeeper.manifest.Manifest;
import dev.loopkeeper.manifest.read.ManifestReading;
import dev.loopkeeper.manifest.read.ManifestTexts;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that a manifest adds to the table. */
class ErrorRulesTest {
    private static final String MANIFEST = """
            name: own
            agents: {dev: {command: [dev]}}
            phases: [{name: a, task: dev}]
            errors:
              - {kind: billing, says: "wallet .* empty"}
              - {kind: overloaded, code: SLOW_LANE, source: our gateway}
              - {kind: rate-limit, status: 430}
              - {kind: network, says: "^HTTP 401$"}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "billing; 500 Internal Server Error: your wallet is empty",
                "overloaded; {\"type\":\"slow-lane\"}",
                "rate-limit; HTTP 430",
                "network; HTTP 401",
                "unclassified; your empty wallet",
                "auth; HTTP 401 Unauthorized",
                "server; HTTP 500"
            })
    void comeBeforeThoseOfLoopkeeper(String kind, String text) {
        ErrorRules rules = ErrorRules.with(manifest().errors());
        assertThat(ErrorClassifier.classify(rules, StructuredError.text(text), Instant.EPOCH, ZoneId.of("UTC"))
                        .kind()
                        .wire())
                .isEqualTo(kind);
    }

    static Stream<ErrorKind> met() {
        return Stream.of(ErrorKind.values())
                .filter(kind -> !List.of(
                                ErrorKind.TIMEOUT,
                                ErrorKind.IDLE,
                                ErrorKind.BAD_PROMPT,
                                ErrorKind.CRASHED,
                                ErrorKind.NODE_LOST,
                                ErrorKind.SANDBOX,
                                ErrorKind.UNCLASSIFIED)
                        .contains(kind));
    }

    @ParameterizedTest
    @MethodSource("met")
    void mayNameEveryKindThatAnAgentCanMeet(ErrorKind kind) {
        String text = MANIFEST + "  - {kind: " + kind.wire() + ", says: some words}\n";
        assertThat(ManifestTexts.read(text)).isInstanceOf(ManifestReading.Valid.class);
    }

    @Test
    void areKeptAsTheyWereWritten() {
        assertThat(manifest().errors())
                .contains(new ErrorRuleSpec("overloaded", "code", "SLOW_LANE", "our gateway"))
                .contains(new ErrorRuleSpec("rate-limit", "status", "430", ""));
    }

    private static Manifest manifest() {
        return ((ManifestReading.Valid) ManifestTexts.read(MANIFEST)).manifest();
    }
}
