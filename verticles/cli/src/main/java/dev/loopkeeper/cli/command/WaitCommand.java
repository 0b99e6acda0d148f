package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.RunFollow;
import dev.loopkeeper.cli.follow.RunReport;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Api;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.Document;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.ServerSilent;
import dev.loopkeeper.cli.session.Session;
import dev.loopkeeper.cli.session.StoreFacts;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.view.Run;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loopkeeper wait RUN}. */
@Command(name = "wait", description = "Wait until a run pauses or ends, and exit with its code.")
public final class WaitCommand extends OneRunCommand {
    @Option(
            names = "--for",
            paramLabel = "WHAT",
            split = ",",
            description = "paused, ended or both (default). An ended run ends every wait.")
    private Set<Occasion> occasions = new LinkedHashSet<>();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "How long to wait, e.g. 30s, before exit code 124; default: no limit.")
    private String timeout;

    /** What ends the wait, in the words of the command line. */
    private enum Occasion {
        paused,
        ended
    }

    @Override
    public Integer call() {
        Deadline deadline = Deadline.after(limit());
        try (Session session = root.open()) {
            return session.server().map(api -> follow(api, deadline)).orElseGet(() -> withoutServer(session, deadline));
        }
    }

    private Optional<Duration> limit() {
        return Optional.ofNullable(timeout)
                .map(text -> DurationText.parse(text)
                        .orElseThrow(() -> CommandFailure.refused("--timeout must be a duration such as "
                                + DurationText.EXAMPLES + ", was '" + Words.shown(timeout) + "'")));
    }

    private boolean met(Run found) {
        boolean pausesCount = occasions.isEmpty() || occasions.contains(Occasion.paused);
        return found.status().isEnded() || (pausesCount && found.status() == RunStatus.PAUSED);
    }

    private int outcome(Document<Run> met, RunFacts facts) {
        RunReport.print(root, json.wanted(), false, met, facts);
        return root.exitAs(met.view());
    }

    private int follow(Api api, Deadline deadline) {
        Api timely = api.until(deadline);
        try {
            run.findPatiently(RunFacts.of(timely), root, deadline);
            return outcome(RunFollow.silently(timely, run.id(), deadline).until(this::met), RunFacts.of(api));
        } catch (ServerSilent silent) {
            deadline.check(run.given(), silent);
            throw silent;
        } catch (CommandFailure gone) {
            boolean elsewhere = root.server().isPresent()
                    || StoreFacts.isOfNode(root.dataFolder().path());
            if (gone.exitCode() != ExitCodes.UNREACHABLE || elsewhere) {
                throw gone;
            }
            // The server of a run in the foreground ends together with the run.
            try (Session afterwards = root.open()) {
                return recorded(afterwards);
            }
        }
    }

    /** Returns the recorded outcome. If an owner has just started, follows the run there once it serves an address. */
    private int withoutServer(Session session, Deadline deadline) {
        try {
            return recorded(session);
        } catch (CommandFailure unmet) {
            if (unmet.exitCode() != ExitCodes.UNREACHABLE) {
                throw unmet;
            }
            Optional<Api> begun = session.startingServer(deadline.atMost(Session.FOR_OWNER));
            if (begun.isPresent()) {
                return follow(begun.get(), deadline);
            }
            // Without an owner the run cannot change, so the wait has not timed out.
            if (session.isOwned()) {
                deadline.check(run.given(), unmet);
            }
            // An owner that had just started may have ended the run.
            return recorded(session);
        }
    }

    private int recorded(Session session) {
        try (StoreFacts facts = new StoreFacts(session.vertx(), root)) {
            run.find(facts, root);
            Document<Run> found = facts.known(run.id());
            if (met(found.view())) {
                return outcome(found, facts);
            }
            throw CommandFailure.unreachable(
                    facts.abandoned(found.view())
                            ? "no process executes " + run.id() + "; resume it with: " + root.hint("resume " + run.id())
                                    + ", or all open runs with: " + root.hint("serve")
                            : session.noServer("").getMessage() + "; run " + run.id() + " stays "
                                    + found.view().status().wire() + " until it is resumed");
        }
    }
}
