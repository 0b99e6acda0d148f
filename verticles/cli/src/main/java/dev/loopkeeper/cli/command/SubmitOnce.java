package dev.loopkeeper.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.FolderInUse;
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
    /** The last server that ended before it answered. */
    private ServerGone gone;

    SubmitOnce(RootCommand root, Session session, ObjectNode body) {
        this.root = root;
        this.session = session;
        this.body = body;
    }

    /** Returns the run from the answer of a server, or as the server recorded it before it ended. */
    Document<Run> by(Api server) {
        Optional<Document<Run>> run = ask(server);
        // For a server named by URL it is unknown whether another one follows.
        if (run.isEmpty() && root.server().isPresent()) {
            throw failed(gone);
        }
        return run.orElseGet(this::byNext);
    }

    private Document<Run> byNext() {
        try {
            return session.byOwner(FOR_RESTART, this::ask, this::recorded);
        } catch (FolderInUse late) {
            throw failed(gone);
        }
    }

    /** Returns empty if the server ended before it answered. */
    private Optional<Document<Run>> ask(Api server) {
        try {
            return Optional.of(server.submit(body, key));
        } catch (ServerGone ended) {
            mayBeAccepted |= ended.mayHaveReceived();
            gone = ended;
            return Optional.empty();
        } catch (ServerSilent silent) {
            mayBeAccepted = true;
            throw failed(silent);
        }
    }

    /** Returns the run if the last server recorded it before it ended. */
    private Document<Run> recorded() {
        Optional<Document<Run>> run = session.isOwned() ? Optional.empty() : found();
        return run.orElseThrow(() -> new FolderInUse(
                gone.getMessage(),
                "the server is ending and may not have recorded the run; waiting up to " + FOR_RESTART.toSeconds()
                        + " s for the next server"));
    }

    private Optional<Document<Run>> found() {
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
                ? "the server may or may not have accepted the run; see: " + root.hint("runs")
                : "nothing was started";
    }
}
