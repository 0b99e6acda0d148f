package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names options in refusals of the API, which name fields of JSON. */
class ResumeOptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a resume requires a cost cap above $2.00 (budget.costUsd) | a resume requires a cost cap above $2.00 (--budget-usd)
            a resume requires maxIterations above 3, or feedback      | a resume requires --max-iterations above 3, or --feedback
            a resume requires feedback, and resetItems without f9     | a resume requires --feedback, and --reset-items without f9
            maxIterations must be 0 or more                           | --max-iterations must be 0 or more
            phases[0].loop.maxIterations must be 0 or more            | phases[0].loop.maxIterations must be 0 or more
            the answer needs no feedback                              | the answer needs no feedback
            """)
    void namesTheOptionOfEachField(String message, String shown) {
        assertThat(ResumeOptions.byOptions(message)).isEqualTo(shown);
    }
}
