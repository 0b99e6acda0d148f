package dev.loopkeeper.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictObjectTest {
    private static final Set<String> KNOWN = Set.of("reason", "now", "tokens", "share", "items", "vars", "budget");

    private static StrictObject read(String json) {
        return StrictObject.read(json.getBytes(UTF_8), "the body", KNOWN);
    }

    private static JsonProblem problem(String json, Consumer<StrictObject> reading) {
        return catchThrowableOfType(JsonProblem.class, () -> reading.accept(read(json)));
    }

    @Test
    void readsWhatIsThereAndTakesNullForAbsent() {
        StrictObject object = read("{\"reason\":\"x\",\"now\":true,\"tokens\":7,\"share\":0.5,\"items\":[\"a\"],"
                + "\"vars\":{\"n\":1,\"b\":true},\"budget\":null}");

        assertThat(object.text("reason")).contains("x");
        assertThat(object.flag("now", false)).isTrue();
        assertThat(object.whole("tokens", 0, 9)).hasValue(7);
        assertThat(object.number("share", 0, 1)).hasValue(0.5);
        assertThat(object.texts("items")).containsExactly("a");
        assertThat(object.scalars("vars")).containsEntry("n", "1").containsEntry("b", "true");
        assertThat(object.any("budget")).isEmpty();
        assertThat(object.has("budget")).isTrue();
        assertThat(object.inside("budget", Set.of()).has("turns")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e5", "1.10", "7E12345", "-0", "0.0", "123456789012345678901234567890", "true"})
    void scalarsKeepTheTextThatWasWritten(String written) {
        assertThat(read("{\"vars\":{\"v\":" + written + "}}").scalars("vars")).containsEntry("v", written);
    }

    @Test
    void anUnknownMemberIsReportedWithTheNearestName() {
        JsonProblem unknown = problem("{\"resaon\":1}", object -> {});
        assertThat(unknown).hasMessage("resaon is not known; did you mean reason?");
        assertThat(unknown.path()).contains("resaon");
        assertThat(unknown.suggestion()).contains("reason");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"reason": 1}       | reason must be a string
            {"now": "yes"}      | now must be true or false
            {"tokens": 1.5}     | tokens must be a whole number from 0 to 9
            {"tokens": 10}      | tokens must be a whole number from 0 to 9
            {"share": 2}        | share must be a number, 0.0 to 1.0
            {"items": "a"}      | items must be a list of strings
            {"items": [1]}      | items must be a list of strings
            {"vars": []}        | vars must be an object
            {"vars": {"a": []}} | vars.a must be a string, a number, true or false
            {"budget": {"x":1}} | budget.x is not known; no member is allowed here
            """)
    void aMemberOfAnotherKindIsRefusedWithItsPath(String json, String message) {
        JsonProblem wrong = problem(
                json,
                object -> assertThat(List.<Object>of(
                                object.text("reason"),
                                object.flag("now", false),
                                object.whole("tokens", 0, 9),
                                object.number("share", 0, 1),
                                object.texts("items"),
                                object.scalars("vars"),
                                object.inside("budget", Set.of())))
                        .isEmpty());
        assertThat(wrong).hasMessage(message);
        assertThat(wrong.path().map(message::startsWith)).contains(true);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [1]                           | the body must be one JSON object
            {"now": true, "now": false}   | the body is not valid JSON at line 1, column 20: the field 'now' occurs twice
            {"now": }                     | the body is not valid JSON at line 1, column 9: Unexpected character ('}'
            {"now"                        | the body is not valid JSON at line 1, column 7: the text is incomplete
            {} {}                         | the body is not valid JSON at line 1, column 4: text follows after the end of the first value
            """)
    void whatIsNoObjectIsRefusedAsAWhole(String json, String message) {
        JsonProblem wrong = problem(json, object -> {});
        assertThat(wrong).hasMessageStartingWith(message);
        assertThat(wrong.path()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"now\": [",
                "{\"now\": \"x",
                "{\"now\": 1]",
                "{\"now\": NaN}",
                "{\"now\": 1} {}",
                "{\"now\": 1, \"now\": 2}"
            })
    void reportsASyntaxErrorWithoutNamesOfTheParser(String json) {
        assertThat(problem(json, object -> {}).getMessage())
                .startsWith("the body is not valid JSON at line 1, column ")
                .doesNotContain("Feature", "REDACTED", "ObjectNode", "com.fasterxml");
    }

    @Test
    void reportsTheLimitOfNestingForADeeperText() {
        assertThat(problem("{\"now\": " + "[".repeat(2000), object -> {}))
                .hasMessageEndingWith(": nested deeper than 200 levels");
    }
}
