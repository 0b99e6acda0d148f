package dev.loopkeeper.process;

import dev.loopkeeper.contract.ResourceExhaustedException;
import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.step.ErrorKind;
import dev.loopkeeper.step.ExitCause;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a step's agent came to its end, before anyone asks who wanted it.
 *
 * @param natural the cause where nobody asked for the end
 * @param trouble what kept it from being launched, where that is no fault of the agent's
 * @param flaw what of Loopkeeper itself broke, so that nothing more is known
 */
record AgentEnd(
        ExitCause natural,
        OptionalInt exitCode,
        Optional<Identity> agent,
        Optional<String> diagnostic,
        Optional<ErrorKind> trouble,
        Optional<String> flaw) {
    private static final int NOT_FOUND = 127;

    private static AgentEnd of(
            ExitCause natural, OptionalInt exitCode, Optional<Identity> agent, Optional<String> diagnostic) {
        return new AgentEnd(natural, exitCode, agent, diagnostic, Optional.empty(), Optional.empty());
    }

    /** Whoever looked after it broke. */
    static AgentEnd broken(Optional<Identity> agent, String flaw) {
        return new AgentEnd(
                ExitCause.VANISHED, OptionalInt.empty(), agent, Optional.of(flaw), Optional.empty(), Optional.of(flaw));
    }

    /** It is gone, which was looked for and not read. */
    static AgentEnd unread(Optional<Identity> agent, String trouble) {
        return of(
                ExitCause.VANISHED,
                OptionalInt.empty(),
                agent,
                Optional.of("the process is gone and how it ended cannot be read: " + trouble));
    }

    /** The same where that is due to its folder, in which nothing can be read for good. Blocking. */
    static AgentEnd sealed(Optional<Identity> agent, StepFolder folder) {
        return unread(
                agent,
                folder.obstacle().orElse("the notes in " + folder.path() + " are gone, or nobody may read them"));
    }

    static AgentEnd failed(String diagnostic) {
        return of(ExitCause.LAUNCH_FAILED, OptionalInt.empty(), Optional.empty(), Optional.of(diagnostic));
    }

    static AgentEnd failed(LaunchException refused) {
        return new AgentEnd(
                ExitCause.LAUNCH_FAILED,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of(refused.getMessage()),
                refused.trouble(),
                Optional.empty());
    }

    /** There was no room for what is written before an agent is launched. */
    static AgentEnd withoutRoom(ResourceExhaustedException full) {
        return new AgentEnd(
                ExitCause.LAUNCH_FAILED,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of(full.getMessage()),
                Optional.of(ErrorKind.INFRASTRUCTURE),
                Optional.empty());
    }

    /** Its launcher could not write its notes, which may have no other cause than a full disk. Blocking. */
    static AgentEnd unwritten(StepOrder order, StepFolder folder) {
        String what = "the launcher of step " + order.stepId() + " could not write to " + folder.path();
        try {
            folder.tryWriting();
            return failed(what + "; check that the disk is not full and the folder is writable");
        } catch (IOException refused) {
            return ResourceExhaustedException.in(refused)
                    .map(full -> withoutRoom(new ResourceExhaustedException(what + ": " + full.getMessage(), refused)))
                    .orElseGet(() ->
                            failed(what + ": " + folder.obstacle().orElse(refused + "; make the folder writable")));
        }
    }

    static AgentEnd forestalled() {
        return of(ExitCause.STOPPED, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    static AgentEnd lost(Optional<Identity> agent) {
        return of(
                ExitCause.VANISHED,
                OptionalInt.empty(),
                agent,
                Optional.of("the process is gone and nothing recorded its end, as after a reboot"));
    }

    /** Something of it would not die. */
    static AgentEnd survived(Optional<Identity> agent) {
        return of(ExitCause.EXITED, OptionalInt.empty(), agent, Optional.of("the process could not be killed"));
    }

    /** Reads the notes about a recorded end. Blocking. */
    static AgentEnd recorded(StepFolderState.Ended ended, StepOrder order, StepFolder folder) throws IOException {
        OptionalInt code = OptionalInt.of(ended.exitCode());
        if (ended.agent().isEmpty()) {
            return unwritten(order, folder);
        }
        if (folder.execFailed()) {
            return of(ExitCause.LAUNCH_FAILED, code, ended.agent(), Optional.of(remedy(ended.exitCode(), order)));
        }
        if (folder.runtimeDied()) {
            return of(
                    ExitCause.VANISHED, // nobody asked for it: the run must not go on as if somebody had
                    code,
                    ended.agent(),
                    Optional.of("the runtime died and agent \"" + order.role() + "\" was to end with it"));
        }
        return of(ExitCause.EXITED, code, ended.agent(), Optional.empty());
    }

    private static String remedy(int exitCode, StepOrder order) {
        String program = order.command().get(0);
        return exitCode == NOT_FOUND
                ? "program \"" + program + "\" of agent \"" + order.role()
                        + "\" was not found; install it, put it on the PATH or correct command"
                : "program \"" + program + "\" of agent \"" + order.role()
                        + "\" cannot be executed; make it executable (chmod +x) or correct command";
    }
}
