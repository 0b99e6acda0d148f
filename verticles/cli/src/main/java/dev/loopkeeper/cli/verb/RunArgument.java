package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.run.RunId;
import picocli.CommandLine.Parameters;

/** {@code RUN}, the first argument of many verbs. */
final class RunArgument {
    @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
    private String runId;

    /** What can be no run's id is as unknown as any other. */
    String id() {
        if (!RunId.isValid(runId)) {
            throw CommandFailure.unreachable("there is no run '" + Words.shown(runId) + "': an id has " + RunId.RULE);
        }
        return runId;
    }
}
