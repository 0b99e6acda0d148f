package dev.loopkeeper.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.loopkeeper.run.RunId;
import dev.loopkeeper.scheduler.Refusal;
import dev.loopkeeper.scheduler.RunAnswer;
import dev.loopkeeper.scheduler.RunChannels;
import dev.loopkeeper.scheduler.StartRun;
import dev.loopkeeper.submit.Submission;
import io.vertx.core.eventbus.ReplyException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loopkeeper run MANIFEST}. */
@Command(
        name = "run",
        description = "Carry a manifest out here and now, and exit when it has ended or waits for a person.",
        footer = {
            "",
            "Ctrl-C stops the run and all its processes, a second one kills them at once; resume it later with:",
            "loopkeeper resume RUN"
        })
final class RunVerb implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RootCommand root;

    @Mixin
    private ManifestOptions manifest;

    @Option(names = "--run-id", paramLabel = "ID", description = "Names the run; default NAME-DATE-TIME-XXXX.")
    private String runId;

    @Mixin
    private LogOptions logs;

    @Mixin
    private JsonOption json;

    RunVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        checkRunId(runId);
        try (Session session = root.open()) {
            Submission.Accepted ready = manifest.require(session, root.console().environment());
            ManifestOptions.warn(root.console(), ready);
            try (OwnFolder folder = OwnFolder.take(session, root, logs)) {
                return carryOut(session, folder, ready);
            }
        }
    }

    static void checkRunId(String runId) {
        if (runId != null && !RunId.isValid(runId)) {
            throw CommandFailure.refused("--run-id may have " + RunId.RULE + "; was '" + Words.shown(runId) + "'");
        }
    }

    private int carryOut(Session session, OwnFolder folder, Submission.Accepted ready) {
        Api api = folder.api();
        // Open before there is anything to hear, so that nothing is missed.
        FeedReader feed = FeedReader.open(api, Optional.empty(), Optional.empty());
        String started =
                folder.foreground(() -> start(session, ready).path("runId").asText());
        return new Foreground(root, json.wanted()).follow(api, started, feed);
    }

    private JsonNode start(Session session, Submission.Accepted ready) {
        StartRun question = new StartRun(
                Optional.ofNullable(runId),
                ready.document(),
                ready.workspace(),
                ready.baseDir(),
                true,
                Optional.empty());
        try {
            RunAnswer answer =
                    Session.await(RunChannels.START.ask(session.vertx().eventBus(), question, PATIENCE));
            answer.refusal().ifPresent(RunVerb::refuse);
            return answer.document().orElseThrow();
        } catch (ReplyException broken) {
            throw new CommandFailure(ExitCodes.FATAL, "the run could not be started: " + broken.getMessage());
        }
    }

    private static void refuse(Refusal refusal) {
        throw CommandFailure.refused(refusal.message());
    }
}
