package dev.loopkeeper.store;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.PolicyChanges;
import dev.loopkeeper.store.PolicyStore.StoredPolicy;
import dev.loopkeeper.store.StoreChannels.PutPolicy;
import dev.loopkeeper.work.HomeContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
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

    private final Vertx vertx;
    private final EventStore store;
    private final List<Consumer<Policy>> listeners = new CopyOnWriteArrayList<>();
    private volatile AppliedPolicy current = AppliedPolicy.NONE;
    private HomeContext home;
    private long unreadable = -1;
    private boolean ended;

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
