package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.ResumeSuggestion;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.rules.message.ResumePreview;
import dev.loopkeeper.view.Explanation;
import java.util.List;
import java.util.Optional;

/** Says what a resume of a run would do, what it needs, and which command would be accepted. */
final class ResumeAdvice {
    private final RootCommand root;
    private final String runId;
    private final Optional<String> action;
    private final ObjectNode given;

    /** @param given the body of the request */
    ResumeAdvice(RootCommand root, String runId, Optional<String> action, ObjectNode given) {
        this.root = root;
        this.runId = runId;
        this.action = action;
        this.given = given;
    }

    /** Adds what is needed, as options, and a command that would be accepted. */
    CommandFailure refused(Api api, CommandFailure refused) {
        try {
            ResumeSuggestion command = suggestion(api);
            StringBuilder text =
                    new StringBuilder(command.needs().isEmpty() ? refused.getMessage() : firstLine(refused));
            command.needs().forEach(need -> text.append("\nneeds ").append(need));
            command.line(action).ifPresent(line -> text.append("\ntry: " + root.hint(line)));
            return new CommandFailure(refused.exitCode(), text.toString());
        } catch (CommandFailure unexplained) {
            return refused;
        }
    }

    private ResumeSuggestion suggestion(Api api) {
        return new ResumeSuggestion(
                api.get(Api.run(runId) + "/explain", Explanation.class).view(), given);
    }

    /** Returns the first line; the following ones list the needs, which are given as options. */
    private static String firstLine(CommandFailure refused) {
        return refused.getMessage().lines().findFirst().orElse("");
    }

    void print(Api api, ResumePreview preview, boolean allowed) {
        root.console().print(allowed ? "this resume would be accepted" : "this resume would be refused");
        lines("next", preview.next().isEmpty() ? List.of() : List.of(preview.next()));
        lines("missing", preview.missing());
        lines("keeps", preview.kept());
        lines("runs again", preview.redone());
        lines("changed", preview.changes());
        root.console().print("  why: " + Words.oneLine(preview.why()));
        if (!allowed) {
            suggestion(api).line(action).ifPresent(line -> root.console().print("  try: " + root.hint(line)));
        }
    }

    void lines(String word, List<String> texts) {
        texts.forEach(text -> root.console().print("  " + word + ": " + Words.oneLine(text)));
    }
}
