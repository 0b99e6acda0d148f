package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.JsonOption;
import dev.loopkeeper.cli.session.LocalRuntime;
import dev.loopkeeper.cli.session.LogOptions;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.RunOutcome;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.json.Json;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;

/** {@code loopkeeper stop RUN}. */
public final class StopVerb implements Verb {
    private final RootCommand root;
    private final RunArgument run = new RunArgument();
    private boolean now;
    private String reason;
    private final WaitLimit limit = new WaitLimit();
    private final LogOptions logs = new LogOptions();
    private final JsonOption json = new JsonOption();

    public StopVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(
                        this,
                        "stop",
                        "Stop a run: it is done when no process of it is left. Without a server this process does it.")
                .and(run)
                .flag("--now", "Kill at once, without the grace.", value -> now = value)
                .option("--reason", "TEXT", "Kept with the run.")
                .text(value -> reason = value)
                .and(limit)
                .and(logs)
                .and(json);
    }

    @Override
    public Integer call() {
        Duration patience = limit.of();
        try (Session session = root.open()) {
            return session.byOwner(
                    patience, server -> stopThere(limit.within(server), patience), () -> stopHere(session, patience));
        }
    }

    private int stopThere(Api server, Duration patience) {
        run.find(RunFacts.of(server), root);
        logs.leaveTo(server.location(), root);
        return stop(server, patience);
    }

    private int stopHere(Session session, Duration patience) {
        run.find(session, root);
        try (LocalRuntime folder = LocalRuntime.takeOver(session, root, run.id(), logs)) {
            return stop(folder.api(), patience);
        }
    }

    private int stop(Api api, Duration patience) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("now", now);
        Optional.ofNullable(reason).ifPresent(text -> body.put("reason", text));
        Document<Run> stopped = api.stop(run.id(), body, patience);
        new RunOutcome(root, json.wanted()).print(stopped, RunFacts.of(api));
        RunStatus status = stopped.view().status();
        if (status.isEnded()) {
            return ExitCodes.DONE;
        }
        // Paused means that something would not die; the report names the reason.
        return status == RunStatus.PAUSED ? ExitCodes.PAUSED : stillStopping(patience);
    }

    private int stillStopping(Duration patience) {
        root.console()
                .warn("not yet stopped after " + Words.duration(patience.toMillis())
                        + "; a stop with --now is quicker");
        return ExitCodes.TIMED_OUT;
    }
}
