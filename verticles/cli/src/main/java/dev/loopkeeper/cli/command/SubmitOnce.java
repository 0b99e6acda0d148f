package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.OwnerChanges;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.ServerGone;
import dev.loopkeeper.cli.session.ServerSilent;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Submits a run to the server of a data folder. If that server ends before it answers, submits to the next one with the
 * same key, so that the run is created once.
 */
final class SubmitOnce {
    /** The time for a restart of the server. */
    private static final Duration FOR_RESTART = Duration.ofSeconds(10);

    private final RootCommand root;
    private final Session session;
    private final ObjectNode body;
    private final String key = UUID.randomUUID().toString();
    private boolean mayBeAccepted;

    SubmitOnce(RootCommand root, Session session, ObjectNode body) {
        this.root = root;
        this.session = session;
        this.body = body;
    }

    /** Returns the run from the answer of a server, or as the server recorded it before it ended. */
    Document<Run> by(Api server) {
        try {
            return ask(server);
        } catch (ServerGone gone) {
            // For a server named by URL it is unknown whether another one follows.
            if (root.server().isPresent()) {
                throw failed(gone);
            }
            root.console()
                    .warn("the server is ending and may not have recorded the run; waiting up to "
                            + FOR_RESTART.toSeconds() + " s for the next server");
            return byNext(gone);
        }
    }

    private Document<Run> ask(Api server) {
        try {
            return server.submit(body, key);
        } catch (ServerGone gone) {
            mayBeAccepted |= gone.mayHaveReceived();
            throw gone;
        } catch (ServerSilent silent) {
            mayBeAccepted = true;
            throw failed(silent);
        }
    }

    private Document<Run> byNext(ServerGone first) {
        OwnerChanges changes = new OwnerChanges(root, this::left);
        long begun = System.nanoTime();
        ServerGone gone = first;
        while (true) {
            Optional<Document<Run>> recorded = session.isOwned() ? Optional.empty() : recorded();
            if (recorded.isPresent()) {
                return recorded.get();
            }
            if (System.nanoTime() - begun > FOR_RESTART.toNanos()) {
                throw failed(gone);
            }
            changes.await();
            try {
                Optional<Api> next = session.server();
                if (next.isPresent()) {
                    return ask(next.get());
                }
            } catch (ServerGone again) {
                gone = again;
            }
        }
    }

    /** Returns the run if the last server recorded it before it ended. */
    private Optional<Document<Run>> recorded() {
        try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
            Optional<Document<Run>> run = facts.submittedWith(key);
            run.ifPresent(found -> root.console()
                    .warn("the server has ended; " + found.view().runId() + " is recorded; continue it with: "
                            + root.hint("serve")));
            mayBeAccepted = false;
            return run;
        } catch (CommandFailure unreadable) {
            return Optional.empty();
        }
    }

    private CommandFailure failed(CommandFailure why) {
        return CommandFailure.unreachable(why.getMessage() + "\n" + left());
    }

    private String left() {
        return mayBeAccepted
                ? "whether it has taken the run is not known; see: " + root.hint("runs")
                : "nothing was started";
    }
}
