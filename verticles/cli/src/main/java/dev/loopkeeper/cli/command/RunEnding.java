package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** Requests the end of a run and waits until it has no process left. Without a server this process ends the run. */
abstract class RunEnding extends OneRunCommand {
    private final String operation;

    @Mixin
    private final WaitLimit limit = new WaitLimit();

    @Mixin
    private final LogOptions logs = new LogOptions();

    /** @param operation last part of the request's path, e.g. {@code stop} */
    RunEnding(String operation) {
        this.operation = operation;
    }

    int request(ObjectNode body) {
        Duration patience = limit.of();
        try (Session session = root.open()) {
            return session.byServer(
                    patience,
                    server -> there(limit.within(server), body, patience),
                    () -> here(session, body, patience));
        }
    }

    private int there(Api server, ObjectNode body, Duration patience) {
        run.find(RunFacts.of(server), root);
        logs.leaveTo(server.location(), root);
        return request(server, body, patience);
    }

    private int here(Session session, ObjectNode body, Duration patience) {
        run.find(session, root);
        try (LocalRuntime folder = LocalRuntime.takeOver(session, root, Optional.of(run.id()), logs)) {
            return request(folder.api(), body, patience);
        }
    }

    private int request(Api api, ObjectNode body, Duration patience) {
        Document<Run> ended = api.end(run.id(), operation, body, patience);
        RunReport.print(root, json.wanted(), false, ended, RunFacts.of(api));
        if (ended.view().status().isEnded()) {
            return ExitCodes.DONE;
        }
        return ended.view().stopComplete() ? ExitCodes.PAUSED : stillStopping(body, patience);
    }

    private int stillStopping(ObjectNode body, Duration patience) {
        warn("not stopped yet after " + Words.duration(patience.toMillis())
                + (body.path("now").asBoolean()
                        ? "; see what is left with: " + root.hint("ps " + run.id())
                        : "; stop it at once with --now"));
        return ExitCodes.TIMED_OUT;
    }
}
