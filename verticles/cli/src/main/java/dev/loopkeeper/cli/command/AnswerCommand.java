package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.view.OpenAsk;
import dev.loopkeeper.view.Run;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code loopkeeper answer RUN [ASK] TEXT}. */
@Command(
        name = "answer",
        description = "Answer a question of a running step. The first answer counts; another one is refused.")
public final class AnswerCommand extends OneRunCommand {
    @Parameters(
            index = "1..*",
            arity = "1..2",
            paramLabel = "[ASK] TEXT",
            hideParamSyntax = true,
            description = "The answer, after the id of the ask where the run has several.")
    private List<String> words;

    @Override
    public Integer call() {
        if (words.size() > 2) {
            throw CommandFailure.refused("write the answer in quotes, as one word of the command");
        }
        try (Session session = root.open()) {
            Api server = session.requireServer();
            run.find(session, root);
            String askId = words.size() > 1
                    ? words.get(0)
                    : only(server, server.look(run.id()).view());
            JsonNode body = Json.MAPPER.createObjectNode().put("answer", words.get(words.size() - 1));
            print(
                    server.post(Api.run(run.id()) + "/asks/" + Api.encoded(askId), body, Run.class),
                    answered -> print(askId + " of " + run.id() + " is answered"));
        }
        return ExitCodes.DONE;
    }

    private static String only(Api server, Run run) {
        List<OpenAsk> asks = run.asks();
        if (asks.isEmpty()) {
            String last = RunFacts.of(server).explained(run.runId()).stream()
                    .flatMap(explanation -> explanation.chain().stream())
                    .filter(link -> link.type().equals("ask.closed"))
                    .reduce((earlier, later) -> later)
                    .map(link -> "; " + Words.shown(link.text()))
                    .orElse("");
            throw CommandFailure.refused(run.runId() + " has no open ask" + last);
        }
        if (asks.size() > 1) {
            throw CommandFailure.refused(run.runId() + " has " + asks.size() + " open asks; name one of them:"
                    + asks.stream()
                            .map(ask -> "\n  " + ask.askId() + "  " + Words.shown(ask.question()))
                            .collect(Collectors.joining()));
        }
        return asks.get(0).askId();
    }
}
