package dev.loopkeeper.agent;

import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.termination.StandardReason;
import java.util.Optional;
import java.util.OptionalInt;

/** Creates {@link ExitFacts}. */
final class Exits {
    private Exits() {}

    /** The process exited. */
    static ExitFacts exited(int exitCode) {
        return new ExitFacts(OptionalInt.of(exitCode), Optional.empty(), Optional.empty());
    }

    /** The process is gone without a recorded exit. */
    static ExitFacts vanished() {
        return new ExitFacts(OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /** Loopkeeper ended the process. */
    static ExitFacts endedByLoopkeeper(ErrorKind reason, OptionalInt exitCode) {
        return new ExitFacts(exitCode, Optional.of(reason), Optional.empty());
    }

    /** The process never ran. */
    static ExitFacts launchFailed(String diagnostic) {
        return new ExitFacts(OptionalInt.empty(), Optional.of(ErrorKind.SESSION_FAILED), Optional.of(diagnostic));
    }

    /** The agent finished, whatever its signal says of its work. */
    static boolean succeeded(AgentReport report) {
        return StandardReason.isSuccess(report.summary().termination());
    }
}
