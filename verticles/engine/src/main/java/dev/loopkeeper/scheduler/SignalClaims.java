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
import dev.loopkeeper.store.SharedSignalFiles;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Tracks which run uses which signal files: active runs, and runs about to be created. Used from one context only. */
final class SignalClaims {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final SharedSignalFiles shared;
    private final Map<String, RunActor> runs;
    private final Map<String, List<SignalClaim>> known = new HashMap<>();
    private final Map<String, List<SignalClaim>> reserved = new HashMap<>();
    /** Runs that took files from {@link #shared} and are not yet durably active. */
    private final Set<String> taken = new HashSet<>();
    /** Runs of other nodes that used a file at the last attempt of a run here, by identity of the file. */
    private final Map<String, String> elsewhere = new HashMap<>();

    /** @param runs loaded runs by id; changed elsewhere */
    SignalClaims(Vertx vertx, SharedSignalFiles shared, Map<String, RunActor> runs) {
        this.vertx = vertx;
        this.shared = shared;
        this.runs = runs;
    }

    /**
     * Resolves the signal files that the run would write after this input; completes at once for a run that writes
     * none.
     */
    Future<Void> look(RunState state, RunInput next) {
        return resolved(state, next)
                .map(claims -> known.put(state.runId(), claims))
                .mapEmpty();
    }

    private Future<List<SignalClaim>> resolved(RunState state, RunInput next) {
        Set<String> files = SignalFiles.ahead(state, next);
        return files.isEmpty()
                ? Future.succeededFuture(List.of())
                : SignalChannels.RESOLVE
                        .ask(vertx.eventBus(), new ResolveSignals(state.plan().workspace(), files), TIMEOUT)
                        .map(SignalsResolved::claims);
    }

    /** Whether the run writes any of the signal files resolved so far. */
    boolean has(String runId) {
        return !wanted(runId).isEmpty();
    }

    private List<SignalClaim> wanted(String runId) {
        return known.getOrDefault(runId, List.of());
    }

    /** Returns the run that uses a signal file of this run. */
    Optional<SignalInUse> conflict(String runId) {
        return conflict(runId, wanted(runId));
    }

    private Optional<SignalInUse> conflict(String runId, List<SignalClaim> wanted) {
        return wanted.isEmpty() ? Optional.empty() : SignalInUse.of(runId, wanted, holders(runId));
    }

    /**
     * Takes the signal files of a run that may become active, so that no other node gets them; returns the other run if
     * one uses them. {@link #decided} says whether the run became active.
     */
    Future<Optional<SignalInUse>> take(RunState run) {
        List<SignalClaim> wanted = wanted(run.runId());
        return take(run, wanted).map(holders -> {
            elsewhere.putAll(holders);
            return SignalInUse.of(run.runId(), wanted, holders);
        });
    }

    private Future<Map<String, String>> take(RunState run, List<SignalClaim> wanted) {
        if (wanted.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        Set<String> identities =
                wanted.stream().flatMap(claim -> claim.identities().stream()).collect(Collectors.toSet());
        taken.add(run.runId()); // also if the answer is lost
        return shared.take(run.runId(), run.sequence(), identities).onSuccess(holders -> {
            if (!holders.isEmpty()) {
                taken.remove(run.runId());
            }
        });
    }

    /** A decision is durable: a run that is not active releases the files that it took. */
    void decided(RunState run) {
        if (RunSlots.holds(run.condition())) {
            taken.remove(run.runId());
        } else {
            release(run.runId());
        }
    }

    private void release(String runId) {
        if (taken.remove(runId)) {
            shared.release(runId)
                    .onFailure(unanswered ->
                            vertx.setTimer(StoreRetry.RETRY_DELAY.toMillis(), fired -> releaseTaken(runId)));
        }
    }

    /** Lets runs try again that wait for runs of other nodes. */
    void forgetElsewhere() {
        elsewhere.clear();
    }

    /** Returns those of these inactive runs that cannot start because another run uses their signal files. */
    Set<String> inConflict(List<String> waiting) {
        if (waiting.stream().noneMatch(this::has)) {
            return Set.of();
        }
        Map<String, String> holders = holders("");
        elsewhere.forEach(holders::putIfAbsent);
        return waiting.stream()
                .filter(runId -> SignalInUse.of(runId, wanted(runId), holders).isPresent())
                .collect(Collectors.toSet());
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
        return resolved(fresh, new RunInput.Start(Instants.now())).compose(claims -> {
            Optional<SignalInUse> conflict = conflict(fresh.runId(), claims);
            if (conflict.isPresent()) {
                return Future.succeededFuture(conflict);
            }
            reserved.put(fresh.runId(), claims);
            return take(fresh, claims)
                    .map(holders -> SignalInUse.of(fresh.runId(), claims, holders))
                    .onSuccess(inUse -> inUse.ifPresent(other -> settle(fresh.runId())))
                    .onFailure(unanswered -> settle(fresh.runId()));
        });
    }

    /** Whether signal files are reserved for this run, which is about to be created. */
    boolean isReserved(String runId) {
        return reserved.containsKey(runId);
    }

    /** Turns the reservation into the claim of the run, which is active now. */
    void adopt(String runId) {
        known.put(runId, reserved.getOrDefault(runId, List.of()));
    }

    /** Ends the reservation; an active run keeps its claim. */
    void settle(String runId) {
        reserved.remove(runId);
        release(runId);
    }

    /** The store did not say whether the run was created: until it does, the run keeps the files that it took. */
    void uncertain(String runId) {
        taken.remove(runId);
    }

    /** Releases what a run took that is not active, unless a new attempt has taken the files. */
    void releaseTaken(String runId) {
        if (taken.add(runId)) {
            release(runId);
        }
    }

    /** Removes the claim of an ended run. */
    void forget(String runId) {
        known.remove(runId);
        release(runId);
    }
}
