package dev.loopkeeper.cli.verb;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loopkeeper stop RUN}. */
@Command(
        name = "stop",
        description = "Stop a run: it is done when no process of it is left. Without a server this process does it.")
public final class StopVerb implements Callable<Integer> {
    private final RootCommand root;

    @Mixin
    private RunArgument run;

    @Option(names = "--now", description = "Kill at once, without the grace.")
    private boolean now;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Kept with the run.")
    private String reason;

    @Mixin
    private WaitLimit limit;

    @Mixin
    private LogOptions logs;

    @Mixin
    private JsonOption json;

    public StopVerb(RootCommand root) {
        this.root = root;
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
