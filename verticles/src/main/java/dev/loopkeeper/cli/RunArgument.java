package dev.loopkeeper.cli;

import java.util.regex.Pattern;
import picocli.CommandLine.Parameters;

/** {@code RUN}, the first argument of many verbs. */
final class RunArgument {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    @Parameters(index = "0", paramLabel = "RUN", description = "Id of the run.")
    private String runId;

    /** What can be no run's id is as unknown as any other. */
    String id() {
        if (!valid(runId)) {
            throw CommandFailure.unreachable(
                    "there is no run '" + Words.oneLine(runId) + "': ids have letters, digits, '.', '_' and '-'");
        }
        return runId;
    }

    static boolean valid(String id) {
        return ID.matcher(id).matches();
    }
}
