package dev.loopkeeper.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Fuzz;
import dev.loopkeeper.step.ErrorCategory;
import dev.loopkeeper.step.ErrorContext;
import dev.loopkeeper.step.Usage;
import dev.loopkeeper.termination.ResumeAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignalReaderTest {
    private static final SignalExpectation EXPECTED = new SignalExpectation("n1", 2, Optional.of(3));
    private static final String FULL = """
            {"iteration": 3, "attempt": 2, "nonce": "n1", "status": "completed", "determination": "PROGRESS",
             "verdict": "approved", "shouldContinue": true, "userInputNeeded": true, "questions": ["a?", "b?"],
             "keyConcern": "k", "anomalyType": "t", "reflectionNeeded": false, "recommendStop": true,
             "iterationHealth": "stable", "milestoneNote": "m", "recommendedAction": "finish_loop",
             "readiness": "READY", "gaps": ["g"], "deliverable": {"x": 1},
             "usage": {"costUsd": 0.5, "inputTokens": 10, "outputTokens": 20, "turns": 1},
             "error": {"message": "e", "category": "network", "kind": "stream-cut", "isTransient": true,
                       "retryAfterMs": 100, "stopReason": "s"},
             "terminal": {"reasonCode": "licence-expired", "summary": "s", "taskId": "t", "qualifier": "q"},
             "somethingElse": NaN}
            """;

    private static SignalReading read(String content) {
        return SignalReader.read(Optional.of(content.getBytes(StandardCharsets.UTF_8)), EXPECTED);
    }

    private static Signal valid(String content) {
        assertThat(read(content)).isInstanceOf(SignalReading.Valid.class);
        return ((SignalReading.Valid) read(content)).signal();
    }

    private static SignalReading.Invalid invalid(SignalReading reading) {
        assertThat(reading).isInstanceOf(SignalReading.Invalid.class);
        return (SignalReading.Invalid) reading;
    }

    @Test
    void everyFieldIsRead() {
        Signal signal = valid(FULL);

        assertThat(signal.status()).contains(SignalStatus.COMPLETED);
        assertThat(signal.determination()).contains(Determination.PROGRESS);
        assertThat(signal.verdict()).contains(SignalVerdict.APPROVED);
        assertThat(signal.shouldContinue()).contains(true);
        assertThat(signal.userInputNeeded()).isTrue();
        assertThat(signal.questions()).containsExactly("a?", "b?");
        assertThat(signal.keyConcern()).contains("k");
        assertThat(signal.anomalyType()).contains("t");
        assertThat(signal.reflectionNeeded()).contains(false);
        assertThat(signal.recommendStop()).isTrue();
        assertThat(signal.iterationHealth()).contains("stable");
        assertThat(signal.milestoneNote()).contains("m");
        assertThat(signal.recommendedAction()).contains(ResumeAction.FINISH_LOOP);
        assertThat(signal.readiness()).contains(Readiness.READY);
        assertThat(signal.gaps()).containsExactly("g");
        assertThat(signal.deliverable())
                .hasValueSatisfying(node -> assertThat(node).hasToString("{\"x\":1}"));
        assertThat(signal.usage())
                .contains(new Usage(
                        OptionalDouble.of(0.5), OptionalLong.of(10), OptionalLong.of(20), OptionalLong.of(1)));
        assertThat(signal.error())
                .contains(new ErrorContext(
                        "e", ErrorCategory.NETWORK, "stream-cut", Optional.of("s"), true, OptionalLong.of(100)));
        assertThat(signal.terminal())
                .contains(new TerminalSignal("licence-expired", "s", Optional.of("t"), Optional.of("q")));
        assertThat(signal.raw().has("somethingElse")).isTrue();
    }

    @Test
    void snakeCaseSaysTheSame() {
        String snake = Pattern.compile("(?<=[a-z])[A-Z](?=[A-Za-z]*\":)")
                .matcher(FULL)
                .replaceAll(match -> "_" + match.group().toLowerCase(Locale.ROOT));

        assertThat(snake).contains("user_input_needed", "cost_usd", "retry_after_ms", "reason_code");
        assertThat(valid(snake))
                .usingRecursiveComparison()
                .ignoringFields("raw")
                .isEqualTo(valid(FULL));
    }

    @Test
    void oneWordIsEnough() {
        assertThat(valid("{\"determination\": \"SUCCESS\"}").userInputNeeded()).isFalse();
        assertThat(valid("\uFEFF{\"verdict\": \"failed\", \"usage\": null}").usage())
                .isEmpty();
        assertThat(valid("{\"terminal\": {\"reason_code\": \"x\"}}").terminal()).isPresent();
        assertThat(valid("{\"status\": \"partial\", \"shouldContinue\": true, \"should_continue\": true}"))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"nonce": "n2", "verdict": "approved"}       | nonce
            {"attempt": 1, "verdict": "approved"}        | attempt is 1, expected 2
            {"iteration": 4, "verdict": "approved"}      | iteration is 4, expected 3
            {"iteration": 99999999999, "verdict": "no"}  | iteration
            {"nonce": "n2", "verdict": "what"}           | nonce
            """)
    void aSignalOfAnotherAttemptIsStale(String content, String message) {
        SignalReading.Invalid reading = invalid(read(content));

        assertThat(reading.detail()).isEqualTo(SignalDetail.STALE);
        assertThat(reading.message()).startsWith(message);
    }

    /** A number for the iteration was accepted in tasks, gates and items, which have none. */
    @Test
    void aSignalWithAnIterationIsStaleInAStepOutsideLoops() {
        SignalExpectation task = new SignalExpectation("n1", 2, Optional.empty());
        SignalStep step = SignalStep.of(Map.of(
                "LOOPKEEPER_NONCE",
                "n1",
                "LOOPKEEPER_SIGNAL_FILE",
                "s",
                "LOOPKEEPER_ATTEMPT",
                "2",
                "LOOPKEEPER_ITERATION",
                ""));
        assertThat(step.expected()).isEqualTo(task);

        for (String number : List.of("0", "1", "-1", "99999999999")) {
            byte[] content =
                    ("{\"iteration\": " + number + ", \"verdict\": \"approved\"}").getBytes(StandardCharsets.UTF_8);
            SignalReading.Invalid reading = invalid(SignalReader.read(Optional.of(content), task));

            assertThat(reading.detail()).isEqualTo(SignalDetail.STALE);
            assertThat(reading.message()).isEqualTo("iteration is " + number + ", expected none");
        }
        byte[] none =
                "{\"iteration\": null, \"attempt\": 2, \"verdict\": \"approved\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(SignalReader.read(Optional.of(none), task)).isInstanceOf(SignalReading.Valid.class);
    }

    @Test
    void aSignalWithAnIterationIsReadWhereTheStepDoesNotKnowItsOwn() {
        SignalExpectation unknown = SignalStep.of(Map.of("LOOPKEEPER_NONCE", "n1", "LOOPKEEPER_SIGNAL_FILE", "s"))
                .expected();
        byte[] content = "{\"iteration\": 7, \"verdict\": \"approved\"}".getBytes(StandardCharsets.UTF_8);

        assertThat(SignalReader.read(Optional.of(content), unknown)).isInstanceOf(SignalReading.Valid.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                              | none of status, determination
            {"userInputNeeded": true}                       | none of status, determination
            {"determination": null}                         | none of status, determination
            {"determination": "success"}                    | determination must be one of SUCCESS, MILESTONE_SUCCESS
            {"status": "done"}                              | status must be one of completed, partial, blocked
            {"verdict": true}                               | verdict must be a string
            {"readiness": "MAYBE"}                          | readiness must be one of
            {"verdict": "approved", "recommended_action": "leave"} | recommendedAction must be one of
            {"verdict": "approved", "shouldContinue": "yes"} | shouldContinue must be true or false
            {"verdict": "approved", "questions": "why"}     | questions must be a list
            {"verdict": "approved", "gaps": [1]}            | gaps must contain only strings
            {"verdict": "approved", "nonce": 5}             | nonce must be a string
            {"verdict": "approved", "attempt": "2"}         | attempt must be a whole number
            {"verdict": "approved", "usage": 5}             | usage must be an object
            {"verdict": "approved", "usage": {"costUsd": -1}} | usage.costUsd must be a number of 0 or more
            {"verdict": "approved", "usage": {"costUsd": NaN}} | usage.costUsd must be a number of 0 or more
            {"verdict": "approved", "usage": {"costUsd": 1e999}} | usage.costUsd must be a number of 0 or more
            {"verdict": "approved", "usage": {"turns": 1.5}} | usage.turns must be a whole number
            {"verdict": "approved", "error": {"category": "bad"}} | error.category must be one of
            {"terminal": {"summary": "x"}}                  | terminal.reasonCode is missing
            {"terminal": {"reasonCode": " "}}               | terminal.reasonCode is missing
            {"terminal": "halted"}                          | terminal must be an object
            {"determination": "SUCCESS", "verdict": "rejected"} | determination SUCCESS and verdict rejected contradict
            {"determination": "ANOMALY", "verdict": "approved"} | determination ANOMALY and verdict approved contradict
            {"status": "blocked", "verdict": "approved"}    | status blocked contradicts verdict
            {"verdict": "approved", "keyConcern": "a", "key_concern": "b"} | keyConcern is given in two spellings
            """)
    void aFieldThatIsWrongIsNamed(String content, String message) {
        SignalReading.Invalid reading = invalid(read(content));

        assertThat(reading.detail()).isEqualTo(SignalDetail.SCHEMA_INVALID);
        assertThat(reading.message()).startsWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"determination": "success"}                    | "success"
            {"verdict": true}                               | true
            {"verdict": "approved", "gaps": ["a", {"b":1}]} | {"b":1}
            {"verdict": "approved", "usage": {"turns": 1.5}} | 1.5
            {"attempt": 7, "verdict": "approved"}           | 7
            {"nonce": "other", "verdict": "approved"}       | "other"
            {"verdict": "approved", "keyConcern": "a", "key_concern": "b"} | "b"
            """)
    void aRefusedValueIsReportedBesideItsField(String content, String value) {
        SignalReading.Invalid reading = invalid(read(content));

        assertThat(reading.refusedValue()).contains(value);
        assertThat(reading.message()).contains(value);
    }

    @Test
    void aRefusedValueIsCutAndCannotActOnATerminal() {
        SignalReading.Invalid reading = invalid(read("{\"verdict\": \"\\u001b[2J\u202e\\n" + "x".repeat(500) + "\"}"));

        assertThat(reading.refusedValue().orElseThrow())
                .hasSize(80)
                .startsWith("\"\\u001B[2J\\u202e\\nxxx")
                .endsWith("x…");
        assertThat(reading.message()).hasSizeLessThan(160).doesNotContain("\u001b", "\u202e", "\n");
    }

    @Test
    void aRefusedValueIsNotCutWithinALetter() {
        String value = invalid(read("{\"verdict\": \"" + "😀".repeat(100) + "\"}"))
                .refusedValue()
                .orElseThrow();

        assertThat(value).hasSizeLessThanOrEqualTo(80).endsWith("😀…");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "\"approved\"",
                "7",
                "null",
                "{\"verdict\": \"approved\"} x",
                "{} {}",
                "verdict: approved",
                "{\"verdict\": \"approved\", \"verdict\": \"failed\"}",
                "{\"verdict\": \"approved\", \"x\": \"\\ud800\"}",
                "\0\0\0"
            })
    void whatIsNotOneObjectIsMalformed(String content) {
        assertThat(invalid(read(content)).detail()).isEqualTo(SignalDetail.MALFORMED);
    }

    @Test
    void whatIsMalformedIsReportedWithoutNamesOfTheParser() {
        assertThat(invalid(read("{}\n{}")).message())
                .isEqualTo("line 2: text follows after the end of the first value");
        assertThat(invalid(read("{\"x\": " + "[".repeat(300))).message()).isEqualTo("nested deeper than 200 levels");
    }

    @Test
    void hostileBytesAreMalformed() {
        byte[] latin = "{\"verdict\": \"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] wide = "{\"verdict\": \"approved\"}".getBytes(StandardCharsets.UTF_16LE);
        byte[] deep = ("{\"x\": " + "[".repeat(500_000)).getBytes(StandardCharsets.UTF_8);
        byte[] large = new byte[1024 * 1024 + 1];

        for (byte[] content : new byte[][] {latin, wide, deep, large}) {
            assertThat(invalid(SignalReader.read(Optional.of(content), EXPECTED))
                            .detail())
                    .isEqualTo(SignalDetail.MALFORMED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t \n", "\uFEFF"})
    void whiteSpaceIsEmpty(String content) {
        assertThat(invalid(read(content)).detail()).isEqualTo(SignalDetail.EMPTY);
    }

    @Test
    void noFileIsAbsent() {
        assertThat(invalid(SignalReader.read(Optional.empty(), EXPECTED)).detail())
                .isEqualTo(SignalDetail.ABSENT);
    }

    @Test
    void onlyTheWholeFileIsComplete() {
        byte[] whole = FULL.strip().getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < whole.length; length++) {
            assertThat(SignalReader.read(Optional.of(Arrays.copyOf(whole, length)), EXPECTED))
                    .isInstanceOf(SignalReading.Invalid.class);
        }
        assertThat(SignalReader.read(Optional.of(whole), EXPECTED)).isInstanceOf(SignalReading.Valid.class);
    }

    @Test
    void noMutationThrows() {
        Random random = new Random(Fuzz.seed(3));
        for (int round = 0; round < Fuzz.rounds(1_700); round++) {
            byte[] content = FULL.getBytes(StandardCharsets.UTF_8);
            content[random.nextInt(content.length)] = (byte) random.nextInt(256);
            assertThat(SignalReader.read(Optional.of(content), EXPECTED)).isNotNull();
        }
    }
}
