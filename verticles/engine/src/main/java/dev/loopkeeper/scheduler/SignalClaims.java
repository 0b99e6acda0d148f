package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.SignalChannels;
import dev.loopkeeper.contract.SignalChannels.ResolveSignals;
import dev.loopkeeper.contract.SignalChannels.SignalsResolved;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.SignalFiles;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.rules.message.SignalInUse;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.step.SignalClaim;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.eventbus.EventBus;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tracks which run uses which signal files: active runs, and runs about to be created. Used from one context only. */
final class SignalClaims {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final EventBus bus;
    private final Map<String, RunActor> runs;
    private final Map<String, List<SignalClaim>> known = new HashMap<>();
    private final Map<String, List<SignalClaim>> reserved = new HashMap<>();

    /** @param runs loaded runs by id; changed elsewhere */
    SignalClaims(EventBus bus, Map<String, RunActor> runs) {
        this.bus = bus;
        this.runs = runs;
    }

    /**
     * Resolves the signal files that the run would write after this input; completes at once for a run that writes
     * none.
     */
    Future<Void> look(RunState state, RunInput next) {
        return resolved(state, next).map(claims -> {
            if (claims.isEmpty()) {
                known.remove(state.runId());
            } else {
                known.put(state.runId(), claims);
            }
            return null;
        });
    }

    private Future<List<SignalClaim>> resolved(RunState state, RunInput next) {
        Set<String> files = SignalFiles.ahead(state, next);
        return files.isEmpty()
                ? Future.succeededFuture(List.of())
                : SignalChannels.RESOLVE
                        .ask(bus, new ResolveSignals(state.plan().workspace(), files), TIMEOUT)
                        .map(SignalsResolved::claims);
    }

    /** Whether the run writes any of the signal files resolved so far. */
    boolean has(String runId) {
        return known.containsKey(runId);
    }

    /** Returns the run that uses a signal file of this run. */
    Optional<SignalInUse> conflict(String runId) {
        return conflict(runId, known.getOrDefault(runId, List.of()));
    }

    private Optional<SignalInUse> conflict(String runId, List<SignalClaim> wanted) {
        return wanted.isEmpty() ? Optional.empty() : SignalInUse.of(runId, wanted, holders(runId));
    }

    /** Returns those of these inactive runs that cannot start because another run uses their signal files. */
    Set<String> inConflict(List<String> waiting) {
        if (waiting.stream().noneMatch(known::containsKey)) {
            return Set.of();
        }
        Map<String, String> holders = holders("");
        Set<String> found = new HashSet<>();
        for (String runId : waiting) {
            List<SignalClaim> wanted = known.getOrDefault(runId, List.of());
            if (SignalInUse.of(runId, wanted, holders).isPresent()) {
                found.add(runId);
            }
        }
        return found;
    }

    private Map<String, String> holders(String except) {
        Map<String, String> holders = new HashMap<>();
        known.forEach((runId, claims) -> {
            if (!runId.equals(except) && isUnderWay(runId)) {
                add(holders, runId, claims);
            }
        });
        reserved.forEach((runId, claims) -> add(holders, runId, claims));
        return holders;
    }

    private static void add(Map<String, String> holders, String runId, List<SignalClaim> claims) {
        claims.forEach(claim -> claim.identities().forEach(identity -> holders.putIfAbsent(identity, runId)));
    }

    private boolean isUnderWay(String runId) {
        RunActor run = runs.get(runId);
        return run != null && RunSlots.holds(run.claim().condition());
    }

    /**
     * Reserves the signal files of a run that is about to be created and started, until {@link #settle}. If another run
     * uses one, returns that run and reserves nothing.
     */
    Future<Optional<SignalInUse>> reserve(RunState fresh) {
        return resolved(fresh, new RunInput.Start(Instants.now())).map(claims -> {
            Optional<SignalInUse> conflict = conflict(fresh.runId(), claims);
            if (conflict.isEmpty()) {
                reserved.put(fresh.runId(), claims);
            }
            return conflict;
        });
    }

    /** Whether signal files are reserved for this run, which is about to be created. */
    boolean isReserved(String runId) {
        return reserved.containsKey(runId);
    }

    /** Turns the reservation into the claim of the run, which is active now. */
    void adopt(String runId) {
        List<SignalClaim> claims = reserved.getOrDefault(runId, List.of());
        if (!claims.isEmpty()) {
            known.put(runId, claims);
        }
    }

    /** Ends the reservation; an active run keeps its claim. */
    void settle(String runId) {
        reserved.remove(runId);
    }

    /** Removes the claim of an ended run. */
    void forget(String runId) {
        known.remove(runId);
    }
}
