package dev.loopkeeper.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.ServedNode;
import dev.loopkeeper.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A resume that leaves questions of an agent open says so, with a server and without one. */
class OpenQuestionsTest {
    private static final String FEEDBACK =
            "Question: Which database?\nAnswer: PostgreSQL\n\nQuestion: Which port?\nAnswer: 5432";

    @TempDir
    private Path folder;

    private Terminal terminal;

    /** An agent that asks two questions each time, and writes down what it was answered. */
    @BeforeEach
    void askTwoQuestions() throws IOException {
        Files.writeString(folder.resolve("asks.json"), """
                {"status": "partial", "userInputNeeded": true, "questions": ["Which database?", "Which port?"]}""");
        Files.writeString(folder.resolve("m.yaml"), """
                name: x
                agents:
                  dev:
                    command: 'printf "%s" "$LOOPKEEPER_FEEDBACK" >answered; cp asks.json j.json'
                    signal: j.json
                phases: [{name: build, loop: {steps: [dev]}}]
                """);
        terminal = new Terminal(folder.resolve("data"));
        String manifest = folder.resolve("m.yaml").toString();
        assertThat(terminal.type("run", manifest, "--run-id", "r").exitCode()).isEqualTo(4);
    }

    private String answered() throws IOException {
        return Files.readString(folder.resolve("answered"));
    }

    @Test
    void listsAllQuestionsOfAPause() {
        for (String command : List.of("show", "explain")) {
            assertThat(terminal.type(command, "r").out())
                    .containsSubsequence("question: Which database?", "question: Which port?");
        }
        assertThat(terminal.type("runs").out()).contains("2 questions: Which database? / Which port?");
    }

    @Test
    void refusesToLeaveQuestionsOpenWithoutATerminal() throws IOException {
        for (String[] command : new String[][] {{"resume", "r"}, {"resume", "-"}, {"resume", "r", "--dry-run"}}) {
            Terminal.CommandOutput result = terminal.type(command);
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("1. Which database?", "2. Which port?", "--feedback", "--unanswered");
        }
        assertThat(terminal.type("resume", "r", "--dry-run").out())
                .contains("this resume would be refused", "next: launches dev");
        assertThat(terminal.type("resume", "r", "--dry-run", "--unanswered").exitCode())
                .isZero();
        try (ServedNode server = new ServedNode(folder.resolve("data"))) {
            assertThat(server).isNotNull();
            assertThat(terminal.type("resume", "r").err()).contains("2. Which port?", "--unanswered");
        }
        assertThat(answered()).isEmpty();
        assertThat(terminal.type("resume", "r", "--unanswered").exitCode()).isEqualTo(4);
        assertThat(terminal.type("resume", "r", "--feedback", "MySQL").exitCode())
                .isEqualTo(4);
        assertThat(answered()).isEqualTo("MySQL");
        assertThat(terminal.type("resume", "r", "stop_loop_now").out()).contains("r is stopped");
    }

    @Test
    void requestsEachAnswerAtATerminal() throws IOException {
        Terminal.CommandOutput preview = terminal.answering("", "resume", "r", "--dry-run");
        assertThat(preview.exitCode()).isZero();
        assertThat(preview.err()).contains("resume reads each answer", "2. Which port?");

        Terminal.CommandOutput resumed = terminal.answering("PostgreSQL\n5432\n", "resume", "r");

        assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(4);
        assertThat(resumed.err()).contains("question 1 of 2: Which database?", "question 2 of 2: Which port?");
        assertThat(answered()).isEqualTo(FEEDBACK);
        try (ServedNode server = new ServedNode(folder.resolve("data"))) {
            assertThat(server).isNotNull();
            Terminal.CommandOutput waited = terminal.answering("MySQL\n3306\n", "resume", "r", "--wait");
            assertThat(waited.exitCode()).as(waited.err()).isEqualTo(4);
        }
        assertThat(answered()).isEqualTo(FEEDBACK.replace("PostgreSQL", "MySQL").replace("5432", "3306"));
    }

    @Test
    void leavesAQuestionOpenOnlyWithConsent() throws IOException {
        Terminal.CommandOutput refused = terminal.answering("PostgreSQL\n\nn\n", "resume", "r");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("leave 1 question of r without an answer? [y/N]", "not resumed");
        assertThat(terminal.answering("", "resume", "r").exitCode()).isEqualTo(2);
        assertThat(answered()).isEmpty();

        assertThat(terminal.answering("\n5432\ny\n", "resume", "r").exitCode()).isEqualTo(4);
        assertThat(answered()).isEqualTo("Question: Which port?\nAnswer: 5432");
    }
}
