package dev.loopkeeper.manifest.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTextTest {
    private static JsonNode parsed(String text) {
        DocumentReading reading = ManifestText.parse(text);
        assertThat(reading).as(text).isInstanceOf(DocumentReading.Parsed.class);
        return ((DocumentReading.Parsed) reading).document();
    }

    private static String refusal(String text) {
        DocumentReading reading = ManifestText.parse(text);
        assertThat(reading).isInstanceOf(DocumentReading.Unreadable.class);
        ManifestProblem problem = ((DocumentReading.Unreadable) reading).problem();
        assertThat(problem.path()).isEmpty();
        assertThat(problem.text().lines()).hasSize(1);
        return problem.text("m.yaml");
    }

    @Test
    void readsJsonWithTabsAndEscapes() {
        assertThat(parsed("\uFEFF{\n\t\"a\":\t\"\\/\\u0041\", \"b\": [1, 2.50, null]\n}"))
                .hasToString("{\"a\":\"/A\",\"b\":[1,2.50,null]}");
    }

    @Test
    void readsAFlowMapThatIsNotJson() {
        assertThat(parsed("{a: b, c: [d]}")).hasToString("{\"a\":\"b\",\"c\":[\"d\"]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            yes       | "yes"
            off       | "off"
            true      | true
            ~         | null
            12        | 12
            '"12"'    | "12"
            1.10      | 1.10
            12:30:45  | "12:30:45"
            0755      | "0755"
            0x1F      | "0x1F"
            1_000     | "1_000"
            .5        | 0.5
            -7        | -7
            .inf      | ".inf"
            2026-11-20 | "2026-11-20"
            1500ms    | "1500ms"
            """)
    void scalarsAreWhatPeopleMean(String yaml, String json) {
        assertThat(parsed("a: " + yaml).get("a")).hasToString(json);
    }

    @Test
    void aliasesRepeatTheirAnchor() {
        assertThat(parsed("a: &x {b: [1]}\nc: *x\nd: [&y [text], *y]"))
                .hasToString("{\"a\":{\"b\":[1]},\"c\":{\"b\":[1]},\"d\":[[\"text\"],[\"text\"]]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a: 1\nb: [1, 2\nc: 3'   | m.yaml:3:
            'a: 1\na: 2'             | m.yaml:2:
            '{"a": 1, "a": 2}'       | m.yaml:1:
            'a: b: c'                | m.yaml:1:5:
            'a: *nowhere'            | m.yaml:1:
            'a: &x text\nb: *x'      | m.yaml:2:
            'a: &x [*x]'             | m.yaml:1:
            'a: 1\n---\nb: 2'        | m.yaml:
            '{"a": 1} {"b": 2}'      | m.yaml:1:
            '\ta: 1'                 | m.yaml:1:
            'a: 1\n\tb: 2'           | m.yaml:2:1:
            '\uFEFFa: b: c'          | m.yaml:1:5:
            'a: 1\r\nb: c: d'        | m.yaml:2:5:
            'a: 1\nb: "\u0007"'      | m.yaml:2:5:
            'cwd: {{item.id}}'       | 'm.yaml:1:8: a map or list stands where a key is expected; a text that begins with {{ needs quotes'
            """)
    void aBrokenTextIsRefusedWithItsPosition(String text, String expected) {
        assertThat(refusal(text.replace("\\n", "\n").replace("\\t", "\t"))).startsWith(expected);
    }

    @Test
    void aliasesThatExplodeAreRefused() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int level = 1; level < 12; level++) {
            laughs.append("a%1$d: &a%1$d [%2$s]\n".formatted(level, ("*a" + (level - 1) + ", ").repeat(10)));
        }

        assertThat(refusal(laughs.toString())).contains("aliases expand to too many values");
    }

    @Test
    void aliasesThatNestTooDeepAreRefused() {
        StringBuilder nest = new StringBuilder("a0: &a0 []\n");
        for (int level = 1; level < 400; level++) {
            nest.append("a%1$d: &a%1$d [*a%2$d]\n".formatted(level, level - 1));
        }

        assertThat(refusal(nest.toString())).contains("nested deeper than 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "{\"a\":", "? ", "- - "})
    void deepNestingIsRefused(String opening) {
        assertThat(refusal(opening.repeat(150_000))).isNotBlank();
    }

    @Test
    void aLongTextIsRefusedUnread() {
        assertThat(refusal("[".repeat(10 * 1024 * 1024))).contains("longer than 1048576 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: \0", "\0", "a: \u0007", "{\"a\": \"\0\"}", "a: \uD800"})
    void forbiddenCharactersAreRefused(String text) {
        assertThat(refusal(text)).isNotBlank();
    }

    @Test
    void hugeNumbersAreReadOrRefusedQuickly() {
        assertThat(parsed("a: 1e999999999").get("a").isNumber()).isTrue();
        assertThat(parsed("a: " + "9".repeat(900)).get("a").isNumber()).isTrue();
        assertThat(ManifestText.parse("a: " + "9".repeat(1_000_000))).isNotNull();
    }
}
