package dev.loopkeeper.process;

import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How an agent ended, without the cause of a requested stop.
 *
 * @param natural the cause if no stop was requested
 * @param agent absent where the end does not name it
 * @param launchError why it could not be launched, unless the agent is at fault
 * @param internalError failure of Loopkeeper, after which nothing more is known
 */
record AgentEnd(
        ExitCause natural,
        OptionalInt exitCode,
        Optional<Identity> agent,
        Optional<String> diagnostic,
        Optional<ErrorKind> launchError,
        Optional<String> internalError) {
    private static final int NOT_FOUND = 127;

    private static AgentEnd of(
            ExitCause natural, OptionalInt exitCode, Optional<Identity> agent, Optional<String> diagnostic) {
        return new AgentEnd(natural, exitCode, agent, diagnostic, Optional.empty(), Optional.empty());
    }

    private static AgentEnd vanished(Optional<Identity> agent, String diagnostic) {
        return of(ExitCause.VANISHED, OptionalInt.empty(), agent, Optional.of(diagnostic));
    }

    /** The supervision of the agent failed. */
    static AgentEnd unsupervised(String internalError) {
        return new AgentEnd(
                ExitCause.VANISHED,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of(internalError),
                Optional.empty(),
                Optional.of(internalError));
    }

    /** The agent ended, and its exit record cannot be read. */
    static AgentEnd unread(Optional<Identity> agent, String failure) {
        return vanished(agent, "the process ended, and its exit record cannot be read: " + failure);
    }

    /** The agent ended, and its folder will never be readable. Blocking. */
    static AgentEnd unreadable(Optional<Identity> agent, StepFolder folder) {
        return unread(
                agent,
                FolderObstacle.of(folder.path())
                        .orElse("the files in " + folder.path() + " are missing or not readable for any user"));
    }

    /** Returns the end of an agent whose launch failed for this cause; empty where the cause proves nothing. */
    static Optional<AgentEnd> refused(Throwable cause) {
        if (cause instanceof LaunchException refused) {
            return Optional.of(failed(refused.getMessage(), refused.errorKind()));
        }
        return cause instanceof ResourceExhaustedException full
                ? Optional.of(failed(full.getMessage(), Optional.of(ErrorKind.INFRASTRUCTURE)))
                : Optional.empty();
    }

    static AgentEnd failed(String diagnostic) {
        return failed(diagnostic, Optional.empty());
    }

    static AgentEnd failed(String diagnostic, Optional<ErrorKind> launchError) {
        return new AgentEnd(
                ExitCause.LAUNCH_FAILED,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of(diagnostic),
                launchError,
                Optional.empty());
    }

    /** The launcher could not write its records, perhaps only because the disk is full. Blocking. */
    static AgentEnd unwritten(StepOrder order, StepFolder folder) {
        String what = "the launcher of step " + order.stepId() + " could not write to " + folder.path();
        try {
            folder.tryWriting();
            return failed(what + "; check that the disk is not full and the folder is writable");
        } catch (IOException refused) {
            return ResourceExhaustedException.in(refused)
                    .map(full -> failed(what + ": " + full.getMessage(), Optional.of(ErrorKind.INFRASTRUCTURE)))
                    .orElseGet(() -> failed(what + ": "
                            + FolderObstacle.of(folder.path()).orElse(refused + "; make the folder writable")));
        }
    }

    static AgentEnd stoppedBeforeLaunch() {
        return of(ExitCause.STOPPED, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /** No exit was recorded, except perhaps that the launcher began to end the agent. Blocking. */
    static AgentEnd lost(Optional<Identity> agent, StepOrder order, StepFolder folder) throws IOException {
        return folder.runtimeDied()
                ? runtimeDied(OptionalInt.empty(), agent, order)
                : vanished(agent, "the process ended, and " + unrecorded(folder));
    }

    private static String unrecorded(StepFolder folder) {
        try {
            folder.tryWriting();
            return "nothing recorded its exit, as after a reboot or on a full disk";
        } catch (IOException refused) {
            String why = ResourceExhaustedException.in(refused)
                    .map(Throwable::getMessage)
                    .orElseGet(refused::toString);
            return "its exit could not be recorded in " + folder.path() + ": " + why;
        }
    }

    private static AgentEnd runtimeDied(OptionalInt exitCode, Optional<Identity> agent, StepOrder order) {
        return of(
                ExitCause.RUNTIME_DIED,
                exitCode,
                agent,
                Optional.of("the runtime died and agent \"" + order.role() + "\" was ended with it"));
    }

    /** Some of its processes could not be killed. */
    static AgentEnd survived() {
        return of(
                ExitCause.EXITED,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of("the process could not be killed"));
    }

    /** Reads the end that the launcher recorded; empty where it recorded none. Blocking. */
    static Optional<AgentEnd> recorded(StepOrder order, StepFolder folder) throws IOException {
        Optional<StepNotes.ExitNote> exit = folder.exit();
        return exit.isPresent() ? Optional.of(recorded(exit.get(), order, folder)) : Optional.empty();
    }

    private static AgentEnd recorded(StepNotes.ExitNote exit, StepOrder order, StepFolder folder) throws IOException {
        OptionalInt code = OptionalInt.of(exit.exitCode());
        Optional<Identity> agent = folder.agent();
        if (agent.isEmpty()) {
            return unwritten(order, folder);
        }
        if (folder.execFailed()) {
            return of(ExitCause.LAUNCH_FAILED, code, agent, Optional.of(remedy(exit.exitCode(), order)));
        }
        if (folder.runtimeDied()) {
            return runtimeDied(code, agent, order);
        }
        return of(ExitCause.EXITED, code, agent, Optional.empty());
    }

    private static String remedy(int exitCode, StepOrder order) {
        String program = order.program().command().get(0);
        return exitCode == NOT_FOUND
                ? "program \"" + program + "\" of agent \"" + order.role()
                        + "\" was not found; install it, put it on the PATH or correct command"
                : "program \"" + program + "\" of agent \"" + order.role()
                        + "\" cannot be executed; make it executable (chmod +x) or correct command";
    }
}
