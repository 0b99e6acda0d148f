package dev.loopkeeper.scheduler;

import dev.loopkeeper.contract.signal.ResolveSignals;
import dev.loopkeeper.contract.signal.SignalChannels;
import dev.loopkeeper.contract.signal.SignalsResolved;
import dev.loopkeeper.rules.RunInput;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.SignalFiles;
import dev.loopkeeper.rules.SignalInUse;
import dev.loopkeeper.run.RunState;
import dev.loopkeeper.run.SignalClaim;
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

/** Which run has which signal files: those under way, and those about to be created. Used from one context only. */
final class SignalClaims {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final EventBus bus;
    private final Map<String, RunActor> runs;
    private final Map<String, List<SignalClaim>> known = new HashMap<>();
    private final Map<String, List<SignalClaim>> reserved = new HashMap<>();

    /** @param runs those that are loaded, by id; changed elsewhere */
    SignalClaims(EventBus bus, Map<String, RunActor> runs) {
        this.bus = bus;
        this.runs = runs;
    }

    /** Looks which files the run would write after this input; at once for one that writes none. */
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
                        .ask(bus, new ResolveSignals(state.plan().workspace(), files), PATIENCE)
                        .map(SignalsResolved::claims);
    }

    /** Whether the run writes any, as far as was looked. */
    boolean has(String runId) {
        return known.containsKey(runId);
    }

    /** Who has a file that this run would write. */
    Optional<SignalInUse> conflict(String runId) {
        return conflict(runId, known.getOrDefault(runId, List.of()));
    }

    private Optional<SignalInUse> conflict(String runId, List<SignalClaim> wanted) {
        return wanted.isEmpty() ? Optional.empty() : SignalInUse.of(runId, wanted, holders(runId));
    }

    /** Those of these runs, which are not under way, that another one keeps from starting. */
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
     * Keeps the files of a run that is about to be created and started from others, until {@link #settle}; answers who has one of
     * them, and then keeps none.
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

    /** Whether its files are kept for this run, which is about to be created. */
    boolean isReserved(String runId) {
        return reserved.containsKey(runId);
    }

    /** The run is created and under way: what was reserved for it is its own. */
    void adopt(String runId) {
        List<SignalClaim> claims = reserved.getOrDefault(runId, List.of());
        if (!claims.isEmpty()) {
            known.put(runId, claims);
        }
    }

    /** What was reserved is the run's if it is under way now, else anybody's. */
    void settle(String runId) {
        reserved.remove(runId);
    }

    /** The run is over. */
    void forget(String runId) {
        known.remove(runId);
    }
}
