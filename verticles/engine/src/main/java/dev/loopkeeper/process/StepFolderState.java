package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** State of a step, by the notes in its folder and by the processes that live. */
sealed interface StepFolderState {
    /**
     * No note says that a launcher took it.
     *
     * @param requested whether a note says that its launch was about to begin; else its notes may also be removed
     */
    record Unclaimed(boolean requested) implements StepFolderState {}

    /** The records are unreadable, or missing although the step ran. */
    record Unreadable() implements StepFolderState {}

    /**
     * A launcher is active: the agent is about to begin, or its end is about to be recorded.
     *
     * @param held whether the agent's pid is still its own
     */
    record Pending(boolean held) implements StepFolderState {}

    /** The agent lives. */
    record Alive(Identity agent, Instant startedAt) implements StepFolderState {}

    /** The step has ended, or will never run. */
    record Ended(AgentEnd end) implements StepFolderState {}

    /** Reads the state of a step. Blocking. */
    static StepFolderState of(StepFolder folder, StepOrder order, ProcFs processes) throws IOException {
        Optional<StepOrder> requested = folder.order();
        if (requested
                .filter(other -> !other.marks().nonce().equals(order.marks().nonce()))
                .isPresent()) {
            return new Ended(AgentEnd.failed("folder " + folder.path() + " belongs to another launch of step "
                    + order.stepId() + "; a step id may be used once"));
        }
        Optional<AgentEnd> recorded = AgentEnd.recorded(order, folder);
        if (recorded.isPresent()) {
            return new Ended(recorded.get());
        }
        if (!folder.claimed()) {
            return isLost(requested, folder, order.marks().nonce(), processes)
                    ? new Ended(AgentEnd.lost(Optional.empty(), order, folder))
                    : new Unclaimed(requested.isPresent());
        }
        Optional<Identity> agent = folder.agent();
        if (agent.filter(processes::living).isPresent()) {
            return new Alive(agent.get(), folder.startedAt().orElse(Instant.EPOCH));
        }
        Optional<Identity> claimant = folder.claimant();
        if (claimant.filter(identity -> identity.pid() == 0).isPresent()) {
            return new Ended(AgentEnd.stoppedBeforeLaunch());
        }
        if (claimant.map(processes::living).orElse(true)) {
            return new Pending(agent.filter(processes::holdsPid).isPresent());
        }
        // The launcher may have recorded the end between the first read and its own exit.
        recorded = AgentEnd.recorded(order, folder);
        return new Ended(recorded.isPresent() ? recorded.get() : AgentEnd.lost(agent, order, folder));
    }

    /** The notes of a step are not synced: after a reboot their absence proves nothing, and nothing may run twice. */
    private static boolean isLost(Optional<StepOrder> requested, StepFolder folder, String nonce, ProcFs processes)
            throws IOException {
        return requested.isPresent()
                ? !requested.get().marks().bootId().equals(processes.bootId())
                : folder.isOfEarlierBoot(processes.bootId(), nonce);
    }
}
