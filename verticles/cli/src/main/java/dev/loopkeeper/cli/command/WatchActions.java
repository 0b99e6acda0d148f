package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.ResumeSuggestion;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Key;
import dev.loopkeeper.cli.print.Prompt;
import dev.loopkeeper.cli.print.RunsBoard;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.step.Amounts;
import dev.loopkeeper.view.Explanation;
import dev.loopkeeper.view.Run;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Runs the actions that keys start for the selected run of a full screen. Requests run on their own threads; the
 * painting thread shows the results.
 *
 * @param painter runs a task on the painting thread
 */
record WatchActions(RootCommand root, Api api, RunsBoard board, Consumer<Runnable> painter) {
    private static final List<String> BROWSERS = List.of("xdg-open", "open");

    /** Runs the action of this key for the selected run, if there is one. */
    void press(Key key) {
        board.chosen().ifPresent(runId -> {
            switch (key) {
                case ANSWER -> explained(runId, explanation -> answer(runId, explanation));
                case RESUME -> explained(runId, explanation -> resume(runId, new ResumeSuggestion(explanation)));
                case PAUSE -> request(runId + " pauses before its next step", () -> post(runId, "pause", empty()));
                case STOP ->
                    board.ask(Prompt.confirm(
                            "Stop " + runId + " and its processes?",
                            () -> request(runId + " is being stopped", () -> post(runId, "stop", empty()))));
                case OPEN -> open(runId);
                default -> {}
            }
        });
    }

    private static ObjectNode empty() {
        return Json.MAPPER.createObjectNode();
    }

    private Run post(String runId, String operation, ObjectNode body) {
        return api.post(Api.run(runId) + "/" + operation, body, Run.class).view();
    }

    private void explained(String runId, Consumer<Explanation> use) {
        inBackground(() -> {
            Explanation explanation = RunFacts.of(api).explain(runId).view();
            return () -> use.accept(explanation);
        });
    }

    private void resume(String runId, ResumeSuggestion command) {
        Optional<ObjectNode> body = command.body(Optional.empty());
        Optional<String> line = command.line(Optional.empty());
        if (body.isEmpty()) {
            board.say(line.map(typed -> "press a to write feedback, or type: " + root.hint(typed))
                    .orElse(runId + " cannot be resumed"));
            return;
        }
        Runnable send = () -> request(runId + " continues", () -> post(runId, "resume", body.get()));
        if (!command.questions().isEmpty()) {
            board.ask(Prompt.confirm(
                    "Resume " + runId + " without an answer to "
                            + Amounts.count(command.questions().size(), "question") + "?",
                    send));
        } else if (command.needsMore() && line.isPresent()) {
            board.ask(Prompt.confirm(line.get() + "?", send));
        } else {
            send.run();
        }
    }

    private void answer(String runId, Explanation explanation) {
        ResumeSuggestion command = new ResumeSuggestion(explanation);
        if (explanation.allowedActions().isEmpty()) {
            board.say(runId + " has no open question");
            return;
        }
        board.ask(Prompt.line(
                "Answer, enter sends: ",
                words -> command.body(Optional.of(words))
                        .ifPresentOrElse(
                                body -> request(runId + " continues", () -> post(runId, "resume", body)),
                                () -> board.say("the resume also needs: " + String.join("; ", command.needs())))));
    }

    private void open(String runId) {
        String address = api.location().url() + "/#/runs/" + Api.encoded(runId);
        inBackground(() -> {
            boolean opened =
                    browser().filter(program -> started(program, address)).isPresent();
            return () -> board.say(opened ? "opened " + address : "open in a browser: " + address);
        });
    }

    private Optional<Path> browser() {
        return BROWSERS.stream()
                .flatMap(name -> Console.onPath(name, root.console().environment()).stream())
                .findFirst();
    }

    private static boolean started(Path program, String address) {
        try {
            Process unused = new ProcessBuilder(program.toString(), address)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private void request(String done, Callable<Run> request) {
        inBackground(() -> {
            Run unused = request.call();
            return () -> board.say(done);
        });
    }

    private void inBackground(Callable<Runnable> work) {
        Session.daemon("loopkeeper-action", () -> painter.accept(result(work)));
    }

    private Runnable result(Callable<Runnable> work) {
        try {
            return work.call();
        } catch (CommandFailure refused) {
            return () -> board.say(refused.getMessage());
        } catch (Exception broken) {
            return () -> board.say("the request failed: " + broken);
        }
    }
}
