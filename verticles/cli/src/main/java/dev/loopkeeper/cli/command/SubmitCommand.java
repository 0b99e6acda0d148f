package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.ServerGone;
import dev.loopkeeper.cli.session.ServerSilent;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.submit.Submission;
import dev.loopkeeper.view.Run;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper submit MANIFEST}. */
@Command(name = "submit", description = "Submit a manifest to the server, which executes it.")
public final class SubmitCommand extends FactsCommand {
    @Mixin
    private final ManifestOptions manifest = new ManifestOptions();

    @Option(names = "--run-id", paramLabel = "ID", description = "Names the run; default NAME-DATE-TIME-XXXX.")
    private String runId;

    @Mixin
    private final LaterOption later = new LaterOption();

    @Option(
            names = "--hold",
            fallbackValue = "true",
            description = "Do not start the run; it stays queued until it is resumed.")
    private boolean hold;

    @Override
    public Integer call() {
        RunManifestCommand.checkRunId(runId);
        if (hold && later.isGiven()) {
            throw CommandFailure.refused("--hold and --at exclude each other; a held run starts by a resume");
        }
        try (Session session = root.open()) {
            Submission.Accepted ready = manifest.require(session, root, ManifestOptions.ofServer(root));
            Api api = session.requireServer(", or execute the manifest here with: "
                    + root.hint("run " + Words.quoted(manifest.file().toString())));
            manifest.warn(root.console(), ready);
            ObjectNode body = body(ready, runId, !hold);
            later.addTo(body, "startAt");
            print(submit(api, body), this::print);
        }
        return ExitCodes.DONE;
    }

    /** A server that ends before it answers may have recorded the run. */
    private Document<Run> submit(Api api, ObjectNode body) {
        try {
            return api.submit(body, UUID.randomUUID().toString());
        } catch (ServerSilent silent) {
            throw unanswered(silent, true);
        } catch (ServerGone gone) {
            throw unanswered(gone, gone.mayHaveReceived());
        }
    }

    private CommandFailure unanswered(CommandFailure failure, boolean mayBeAccepted) {
        return CommandFailure.unreachable(failure.getMessage() + "\n"
                + (mayBeAccepted
                        ? "the server may or may not have accepted the run; see: " + root.hint("runs")
                        : "nothing was started"));
    }

    private void print(Run run) {
        print(RunReport.headline(root.console(), run));
        String next = hold ? "start it with: " : "follow it with: ";
        print("  " + next + root.hint((hold ? "resume " : "watch ") + run.runId()));
    }

    /** Returns the body of {@code POST /runs}. */
    static ObjectNode body(Submission.Accepted ready, String runId, boolean start) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set("manifest", AbsolutePaths.in(ready));
        body.put("workspace", ready.workspace()).put("start", start);
        Optional.ofNullable(runId).ifPresent(id -> body.put("runId", id));
        ready.file().ifPresent(file -> body.set("manifestFile", Json.MAPPER.valueToTree(file)));
        return body;
    }
}
