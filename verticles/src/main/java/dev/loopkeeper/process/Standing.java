package dev.loopkeeper.process;

import java.time.Instant;
import java.util.Optional;

/** Where a step stands, by the notes in its folder and by who lives. */
sealed interface Standing {
    /** Nobody ever launched it. */
    record Unclaimed() implements Standing {}

    /** A launcher is at work: the agent is about to begin, or its end is about to be recorded. */
    record Pending() implements Standing {}

    /** The agent lives. */
    record Alive(Identity agent, Instant startedAt) implements Standing {}

    /** The agent's end is recorded; without an agent nothing was ever executed. */
    record Ended(int exitCode, Optional<Identity> agent) implements Standing {}

    /** It was stopped before it was launched, and never will be. */
    record Forestalled() implements Standing {}

    /** It was launched, it is gone, and nobody recorded how. */
    record Lost(Optional<Identity> agent) implements Standing {}

    /** Reads it. Blocking. */
    static Standing of(StepFolder folder, ProcFs processes) {
        Optional<Standing> ended = ended(folder);
        if (ended.isPresent()) {
            return ended.get();
        }
        if (!folder.claimed()) {
            return unclaimed(folder, processes);
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
            return new Pending();
        }
        // The launcher may have written its record between the first look and its own end.
        return ended(folder).orElse(new Lost(agent));
    }

    private static Optional<Standing> ended(StepFolder folder) {
        return folder.exit().map(exit -> new Ended(exit.exitCode(), folder.agent()));
    }

    /** A claim is not synced: after a reboot its absence proves nothing, and nothing may run twice. */
    private static Standing unclaimed(StepFolder folder, ProcFs processes) {
        boolean rebooted = folder.order()
                .filter(order -> !order.bootId().equals(processes.bootId()))
                .isPresent();
        return rebooted ? new Lost(Optional.empty()) : new Unclaimed();
    }
}
