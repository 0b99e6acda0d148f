package dev.loopkeeper.process;

import dev.loopkeeper.process.tree.Identity;
import dev.loopkeeper.process.tree.ProcFs;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** Where a step stands, by the notes in its folder and by who lives. */
sealed interface StepFolderState {
    /**
     * Nobody ever launched it, as far as its folder tells.
     *
     * @param asked whether it tells that somebody was about to; else it may as well have been removed since
     */
    record Unclaimed(boolean asked) implements StepFolderState {}

    /** Its notes may not be read, which does not pass by itself, or are gone though it ran. */
    record Untold() implements StepFolderState {}

    /**
     * A launcher is at work: the agent is about to begin, or its end is about to be recorded.
     *
     * @param held whether the agent's pid is still its own
     */
    record Pending(boolean held) implements StepFolderState {}

    /** The agent lives. */
    record Alive(Identity agent, Instant startedAt) implements StepFolderState {}

    /** The agent's end is recorded; without an agent nothing was ever executed. */
    record Ended(int exitCode, Optional<Identity> agent) implements StepFolderState {}

    /** It was stopped before it was launched, and never will be. */
    record Forestalled() implements StepFolderState {}

    /** It was launched, it is gone, and nobody recorded how. */
    record Lost(Optional<Identity> agent) implements StepFolderState {}

    /** The folder was used by a launch with another nonce. */
    record Foreign() implements StepFolderState {}

    /** Reads it, for the launch with this nonce. Fails when that cannot be told. Blocking. */
    static StepFolderState of(StepFolder folder, String nonce, ProcFs processes) throws IOException {
        Optional<StepOrder> order = folder.order();
        if (order.filter(other -> !other.nonce().equals(nonce)).isPresent()) {
            return new Foreign();
        }
        Optional<StepFolderState> ended = ended(folder);
        if (ended.isPresent()) {
            return ended.get();
        }
        if (!folder.claimed()) {
            return isLost(order, folder, nonce, processes)
                    ? new Lost(Optional.empty())
                    : new Unclaimed(order.isPresent());
        }
        Optional<Identity> agent = folder.agent();
        if (agent.filter(processes::living).isPresent()) {
            return new Alive(agent.get(), folder.startedAt().orElse(Instant.EPOCH));
        }
        Optional<Identity> claimant = folder.claimant();
        if (claimant.filter(identity -> identity.pid() == 0).isPresent()) {
            return new Forestalled();
        }
        if (claimant.map(processes::living).orElse(true)) {
            return new Pending(agent.filter(processes::holdsPid).isPresent());
        }
        // The launcher may have written its record between the first look and its own end.
        return ended(folder).orElse(new Lost(agent));
    }

    private static Optional<StepFolderState> ended(StepFolder folder) throws IOException {
        Optional<StepFolder.ExitNote> exit = folder.exit();
        Optional<Identity> agent = exit.isPresent() ? folder.agent() : Optional.empty();
        return exit.map(note -> new Ended(note.exitCode(), agent));
    }

    /** The notes of a step are not synced: after a reboot their absence proves nothing, and nothing may run twice. */
    private static boolean isLost(Optional<StepOrder> order, StepFolder folder, String nonce, ProcFs processes)
            throws IOException {
        return order.isPresent()
                ? !order.get().bootId().equals(processes.bootId())
                : folder.isOfEarlierBoot(processes.bootId(), nonce);
    }
}
