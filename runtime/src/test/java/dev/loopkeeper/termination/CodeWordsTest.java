package dev.loopkeeper.termination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Each code with the words that people read in its place. */
class CodeWordsTest {
    private static final String ENDINGS = """
            stop                                | all phases are complete
            submitted                           | all phases are complete and work was submitted
            error_max_turns                     | iteration limit reached
            error_max_budget_usd                | budget used up
            error_max_retries                   | attempts used up
            error_stop_condition                | stop condition met
            error_consecutive_mistakes          | too many failures in a row
            error_no_progress                   | no progress
            error_max_structured_output_retries | output does not match its schema
            error_prompt_too_long               | prompt too long for the model
            error_thinking_starved              | model used up its output on thinking
            error_during_execution              | failed
            error_schema_validation             | result missing or invalid
            error_interrupted                   | interrupted
            error_operator_stop                 | stopped by an operator
            error_dependency_blocked            | blocked by failed items
            error_provider_unavailable          | provider unavailable
            error_crashed                       | process died
            error_gate_failed                   | gate failed
            error_critical_phase                | critical phase failed
            error_halted                        | halted until its cause is fixed
            error_compaction_failed             | context could not be shortened
            error_provider_auth                 | provider refuses the credentials
            error_infrastructure                | the runtime or its machine failed
            """;

    private static final String PAUSES = """
            missing_signals      | signal missing or invalid
            user_input_needed    | input needed
            anomaly              | anomaly
            scope_complete       | no work left
            cadence              | review due
            operator             | pause requested
            provider_unavailable | provider unavailable
            survivors            | processes could not be killed
            """;

    @Test
    void everyEndingHasItsWords() {
        assertThat(Arrays.stream(StandardReason.values()).map(reason -> row(reason.subtype(), reason.words())))
                .containsExactlyElementsOf(rows(ENDINGS));
    }

    @Test
    void everyPauseHasItsWords() {
        assertThat(Arrays.stream(PauseReason.values()).map(reason -> row(reason.wire(), reason.words())))
                .containsExactlyElementsOf(rows(PAUSES));
    }

    private static String row(String code, String words) {
        return code + " | " + words;
    }

    private static Iterable<String> rows(String table) {
        return table.lines().map(line -> line.replaceAll(" +\\|", " |").strip()).toList();
    }
}
