package dev.loopkeeper.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptTemplateTest {
    private static final Map<String, String> VALUES = Map.of(
            "iteration", "3",
            "feedback", "{{iteration}} $1 \\",
            "item.id", "f1",
            "vars.x", "seven",
            "item.vars.x", "eight");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Iteration {{iteration}}.     | Iteration 3.
            {{ iteration }}{{iteration}} | 33
            {{item.id}} {{vars.x}} {{item.vars.x}} | f1 seven eight
            a{{nobody}}b                 | ab
            a{{iteration                 | a{{iteration
            a{{b {{iteration}}           | a{{b 3
            {{{iteration}}}              | {3}
            style={{ color: 'red' }}     | style={{ color: 'red' }}
            {{}}                         | {{}}
            {iteration}                  | {iteration}
            \\{{iteration}} {{iteration}} | {{iteration}} 3
            \\\\{{ x                    | \\{{ x
            """)
    void namesBecomeValues(String template, String expected) {
        assertThat(new PromptTemplate(template).render(VALUES)).isEqualTo(expected);
    }

    @Test
    void aPromptIsNotFilledWithAHoleInIt() {
        PromptTemplate prompt =
                new PromptTemplate("{{iteration}}\n\\{{nobody}}\n {{iterations}}: {{vars.y}} {{x}} {{z}}");

        assertThatThrownBy(() -> prompt.fill(VALUES))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 3: unknown name {{iterations}} (did you mean {{iteration}}?), "
                        + "line 3: unknown name {{vars.y}} (did you mean {{vars.x}}?), "
                        + "line 3: unknown name {{x}}; "
                        + "correct the template and resume the run; write \\{{ for literal braces");
        assertThat(new PromptTemplate("{{iteration}} \\{{x}}").fill(VALUES)).isEqualTo("3 {{x}}");
    }

    @Test
    void valuesAreNotRenderedAgain() {
        assertThat(new PromptTemplate("<{{feedback}}>").render(VALUES)).isEqualTo("<{{iteration}} $1 \\>");
    }

    @Test
    void longRowsOfBracesAreRenderedQuickly() {
        String braces = "{{".repeat(200_000) + "a ".repeat(200_000);

        assertThat(new PromptTemplate(braces).render(VALUES)).isEqualTo(braces);
    }
}
