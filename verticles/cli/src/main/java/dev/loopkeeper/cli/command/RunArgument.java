package dev.loopkeeper.cli.command;

import dev.loopkeeper.cli.follow.RepeatedRequest;
import dev.loopkeeper.cli.session.Deadline;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RunChoice;
import dev.loopkeeper.cli.session.RunFacts;
import dev.loopkeeper.cli.session.Session;
import picocli.CommandLine.Parameters;

/** The argument {@code RUN}, the first one of many commands. */
final class RunArgument {
    @Parameters(index = "0", paramLabel = "RUN", description = RunChoice.DESCRIPTION)
    private String given;

    private String found;

    /** Resolves the run once; an unknown or ambiguous value ends the command. */
    void find(Session session, RootCommand root) {
        if (found == null) {
            try (RunFacts facts = RunFacts.of(session, root)) {
                find(facts, root);
            }
        }
    }

    void find(RunFacts facts, RootCommand root) {
        if (found == null) {
            found = new RunChoice(facts, root).of(given);
        }
    }

    /** Resolves the run like {@link #find}; retries while the server's store is unavailable. */
    void findPatiently(RunFacts facts, RootCommand root, Deadline deadline) {
        found = RepeatedRequest.retry(deadline, given, () -> new RunChoice(facts, root).of(given));
    }

    /** Returns the argument as typed. */
    String given() {
        return given;
    }

    /** Returns the id; only after {@link #find}. */
    String id() {
        return found;
    }
}
