package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.Pause;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.view.Run;
import java.util.ArrayList;
import java.util.List;

/** The questions of a paused run that a resume leaves without an answer. */
record OpenQuestions(String runId, List<String> questions) {
    static final OpenQuestions NONE = new OpenQuestions("", List.of());

    static OpenQuestions of(Run run) {
        List<String> questions = run.status() == RunStatus.PAUSED
                ? run.pause().map(Pause::questions).orElse(List.of())
                : List.of();
        return new OpenQuestions(run.runId(), questions);
    }

    boolean isEmpty() {
        return questions.isEmpty();
    }

    /** Lists the questions, and says how they are answered. */
    String text(boolean terminal) {
        StringBuilder text =
                new StringBuilder(runId + " has " + Amounts.count(questions.size(), "open question") + ":");
        for (int index = 0; index < questions.size(); index++) {
            text.append("\n  ").append(index + 1).append(". ").append(Words.shown(questions.get(index)));
        }
        return text.append(terminal ? "\nresume reads each answer; or" : "\nanswer")
                .append(" with --feedback TEXT, or pass --unanswered to resume without an answer")
                .toString();
    }

    /** Asks a person for each answer and returns the feedback; an ending without consent is a refusal. */
    String ask(Console console) {
        List<String> answers = new ArrayList<>();
        for (int index = 0; index < questions.size(); index++) {
            String question = questions.get(index);
            String answer = console.ask("question " + (index + 1) + " of " + questions.size() + ": "
                    + Words.shown(question) + System.lineSeparator() + "answer: ");
            if (!answer.isBlank()) {
                answers.add("Question: " + question + "\nAnswer: " + answer.strip());
            }
        }
        int open = questions.size() - answers.size();
        String left = Amounts.count(open, "question") + " of " + runId + " without an answer";
        if (open > 0 && !console.ask("leave " + left + "? [y/N] ").strip().equalsIgnoreCase("y")) {
            throw CommandFailure.refused("not resumed: " + left);
        }
        return String.join("\n\n", answers);
    }
}
