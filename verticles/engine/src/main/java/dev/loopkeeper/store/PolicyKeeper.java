package dev.loopkeeper.store;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.contract.RunChannels;
import dev.loopkeeper.contract.RunChannels.GetRun;
import dev.loopkeeper.contract.RunChannels.ResumeRun;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.PolicyChanges;
import dev.loopkeeper.policy.Pool;
import dev.loopkeeper.pool.CoolDown;
import dev.loopkeeper.pool.PoolInput;
import dev.loopkeeper.pool.PoolState;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.store.PolicyStore.StoredPolicy;
import dev.loopkeeper.store.StoreChannels.ClearPool;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import dev.loopkeeper.termination.PauseReason;
import dev.loopkeeper.view.Pools;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.HomeContext;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the current policy in memory. A change by another process that shares the store holds here within 2 s. Any
 * thread may read the policy.
 */
public final class PolicyKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyKeeper.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final EventStore store;
    private final List<Consumer<Policy>> listeners = new CopyOnWriteArrayList<>();
    private volatile AppliedPolicy current = AppliedPolicy.NONE;
    private HomeContext home;
    private long unreadable = -1;
    private boolean ended;
    private volatile long appliedHere;

    public PolicyKeeper(Vertx vertx, EventStore store) {
        this.vertx = vertx;
        this.store = store;
    }

    /** Returns what keeps the use of its caps. */
    CapKeeper caps() {
        return new CapKeeper(vertx, store, this);
    }

    /** Returns the policy that holds now. */
    public AppliedPolicy current() {
        return current;
    }

    /** Returns whether this process applied the current policy. */
    public boolean isAppliedHere() {
        return appliedHere == current.version();
    }

    /** Calls this after each change, on the context of {@link PolicyVerticle}; it must not block. */
    public void onChange(Consumer<Policy> listener) {
        listeners.add(listener);
    }

    /**
     * Reads the policy, and from now on each change of it.
     *
     * @param shared whether other processes may change it
     */
    Future<Void> begin(boolean shared) {
        home = new HomeContext(vertx.getOrCreateContext());
        return look().onSuccess(read -> {
            if (shared) {
                lookLater();
            }
        });
    }

    void end() {
        ended = true;
    }

    private void lookLater() {
        long unused = vertx.setTimer(INTERVAL.toMillis(), due -> {
            if (!ended) {
                look().onFailure(cause -> LOG.debug("the policy cannot be read yet: {}", cause.getMessage()))
                        .onComplete(over -> lookLater());
            }
        });
    }

    private Future<Void> look() {
        return store.policyOtherThan(Math.max(current.version(), unreadable)).map(found -> {
            found.ifPresent(this::adopt);
            return null;
        });
    }

    /** Answers with the policy once the change is durable and holds here; see {@link StoreChannels#PUT_POLICY}. */
    Future<AppliedPolicy> put(PutPolicy change) {
        Policy before = current.policy();
        return home.bring(store.putPolicy(change.document().toString(), change.expected()))
                .compose(stored -> stored.map(Future::succeededFuture).orElseGet(this::refuse))
                .map(stored -> {
                    appliedHere = stored.version();
                    if (adopt(stored)) {
                        PolicyChanges changes = PolicyChanges.between(before, current.policy());
                        LOG.info(
                                "{} applied version {} of the policy: {}",
                                change.by(),
                                stored.version(),
                                changes.text());
                    }
                    return current;
                });
    }

    /** Returns the pools with their use. */
    Future<Pools> pools() {
        return store.pools().map(states -> Pools.of(current.policy(), states, Instants.now()));
    }

    /** See {@link StoreChannels#CLEAR_POOL}; changes nothing if the policy has no such pool. */
    Future<Pools> clearPool(ClearPool asked) {
        Optional<Pool> pool = current.policy().pool(asked.name());
        return pool.isEmpty()
                ? pools()
                : store.pools()
                        .map(states -> Optional.ofNullable(states.get(asked.name()))
                                .flatMap(PoolState::coolDown)
                                .map(CoolDown::runId))
                        .compose(runId -> store.changePool(
                                        asked.name(),
                                        List.of(new PoolInput.Cleared(Instants.now())),
                                        pool.get().places())
                                .compose(
                                        cleared -> runId.map(this::resumeAtOnce).orElseGet(Future::succeededFuture)))
                        .compose(cleared -> pools());
    }

    /** A run that no longer waits for the reset stays as it is. */
    private Future<Void> resumeAtOnce(String runId) {
        return RunChannels.GET
                .ask(vertx.eventBus(), new GetRun(runId), PATIENCE)
                .compose(answer ->
                        answer.run().filter(PolicyKeeper::waitsForReset).isPresent()
                                ? RunChannels.RESUME.ask(
                                        vertx.eventBus(), new ResumeRun(runId, ResumeRequest.PLAIN), PATIENCE)
                                : Future.succeededFuture(answer))
                .<Void>mapEmpty()
                .onFailure(cause -> LOG.warn("run {} waits until its time: {}", runId, cause.getMessage()))
                .otherwiseEmpty();
    }

    /** Another time is one that a person has set. */
    private static boolean waitsForReset(Run run) {
        return run.resumeAt().isPresent()
                && (run.status() == RunStatus.WAITING
                        || run.pause()
                                .filter(pause -> pause.reason() == PauseReason.PROVIDER_UNAVAILABLE)
                                .isPresent());
    }

    private Future<StoredPolicy> refuse() {
        return look().compose(read -> Future.failedFuture(new PolicyChangedException(current.version())));
    }

    /** Returns whether it is newer. One that this version cannot read changes nothing here. */
    @CanIgnoreReturnValue
    private boolean adopt(StoredPolicy stored) {
        if (stored.version() <= Math.max(current.version(), unreadable)) {
            return false;
        }
        try {
            current = AppliedPolicy.of(stored);
        } catch (StoreException newer) {
            unreadable = stored.version();
            LOG.error("version {} of the policy holds here still: {}", current.version(), newer.getMessage());
            return false;
        }
        listeners.forEach(listener -> listener.accept(current.policy()));
        return true;
    }
}
