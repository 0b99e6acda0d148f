package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcessSnapshot;
import dev.loopkeeper.process.tree.Signals;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out the state of one step: by its notes, and where it has none by its marked processes. */
record StepCheck(SupervisorContext around, StepOrder order, StepFolder folder) {
    private static final Logger LOG = LoggerFactory.getLogger(StepCheck.class);

    /**
     * Returns the state. Fails when it cannot be read now.
     *
     * @param launcherLives whether its launcher lives; empty where an earlier runtime may have started it
     * @param agent the agent, if known
     */
    Future<StepFolderState> state(Optional<Boolean> launcherLives, Optional<Identity> agent) {
        return around.workers()
                .executeBlocking(() -> byNotes(launcherLives, agent), false)
                .compose(state -> launcherLives.isEmpty() && agent.isEmpty() && isWithoutNotes(state)
                        ? around.scanner()
                                .take()
                                .compose(snapshot ->
                                        around.workers().executeBlocking(() -> byMarks(snapshot, state), false))
                        : Future.succeededFuture(state));
    }

    private static boolean isWithoutNotes(StepFolderState state) {
        return state instanceof StepFolderState.Unreadable
                || (state instanceof StepFolderState.Unclaimed unclaimed && !unclaimed.requested());
    }

    private StepFolderState byNotes(Optional<Boolean> launcherLives, Optional<Identity> agent) throws IOException {
        boolean lives = agent.filter(around.processes()::living).isPresent();
        try {
            StepFolderState state = StepFolderState.of(folder, order, around.processes());
            boolean removed =
                    state instanceof StepFolderState.Unclaimed && launcherLives.isEmpty() && agent.isPresent();
            if (!removed) {
                return state;
            }
            return lives ? new StepFolderState.Alive(agent.get(), Instant.EPOCH) : new StepFolderState.Unreadable();
        } catch (AccessDeniedException denied) {
            if (lives || launcherLives.orElse(false)) {
                throw denied;
            }
            // Access stays denied, and no launcher is left to record anything.
            return launcherLives.isEmpty()
                    ? new StepFolderState.Unreadable()
                    : new StepFolderState.Ended(AgentEnd.unreadable(agent, folder));
        }
    }

    /** The agent is the child of its launcher. Without it the step has ended if other processes of it live. */
    private StepFolderState byMarks(ProcessSnapshot snapshot, StepFolderState byNotes) {
        List<ProcessSnapshot.Seen> living = snapshot.processes().stream()
                .filter(seen -> seen.nonce().equals(order.marks().nonce()))
                .filter(seen -> around.processes().living(seen.identity()))
                .toList();
        // Only the command of its launcher contains these words.
        String launcher = " record " + folder.path() + " " + order.marks().nonce() + " ";
        Optional<StepFolderState> agent = living.stream()
                .filter(seen ->
                        around.processes().commandLine(seen.stat().parent()).contains(launcher))
                .findFirst()
                .map(seen -> new StepFolderState.Alive(seen.identity(), startedAt(seen)));
        return agent.orElseGet(() ->
                living.isEmpty() ? byNotes : new StepFolderState.Ended(AgentEnd.unreadable(Optional.empty(), folder)));
    }

    private Instant startedAt(ProcessSnapshot.Seen seen) {
        return ProcessHandle.of(seen.stat().pid())
                .flatMap(process -> process.info().startInstant())
                .orElse(around.clock().instant());
    }

    /** Kills a launcher that neither executes nor records anything. Blocking. */
    AgentEnd endLauncher() throws IOException {
        boolean sent = folder.claimant()
                .filter(claimant -> around.signals().send(claimant, Signals.KILL))
                .isPresent();
        LOG.warn(
                "the launcher of step {} recorded no exit; the launcher was {}",
                order.key(),
                sent ? "killed" : "already gone");
        Optional<AgentEnd> recorded = AgentEnd.recorded(order, folder);
        return recorded.isPresent() ? recorded.get() : AgentEnd.lost(folder.agent(), order, folder);
    }

    /** Keeps a launcher that is just starting from launching the step. Blocking. */
    AgentEnd preventLaunch(boolean tried, Optional<Identity> agent) {
        try {
            boolean unused = folder.claimForStop();
        } catch (IOException refused) {
            // A launcher cannot write there either.
            LOG.debug("step {} cannot be claimed", order.key(), refused);
        }
        if (agent.isPresent()) {
            return AgentEnd.unreadable(agent, folder);
        }
        return tried ? AgentEnd.unwritten(order, folder) : AgentEnd.stoppedBeforeLaunch();
    }
}
