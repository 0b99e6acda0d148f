package dev.loopkeeper.schedule;

import dev.loopkeeper.contract.RunChannels.RunAnswer;
import dev.loopkeeper.contract.ScheduleChannels.FireSchedule;
import dev.loopkeeper.contract.ScheduleChannels.ListSchedules;
import dev.loopkeeper.policy.Fire;
import dev.loopkeeper.policy.Fire.Outcome;
import dev.loopkeeper.policy.FireRules;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Schedule;
import dev.loopkeeper.rules.message.Refusal;
import dev.loopkeeper.store.FireStore;
import dev.loopkeeper.store.Ownership;
import dev.loopkeeper.store.PolicyKeeper;
import dev.loopkeeper.store.ScheduleStatuses;
import dev.loopkeeper.termination.RefusalCode;
import dev.loopkeeper.work.Instants;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Answers requests about schedules. Used from one context only. */
final class FireRequests {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final int LOOKS = 500;

    private final Vertx vertx;
    private final FireStore store;
    private final PolicyKeeper policies;
    private final Ownership ownership;
    private final Runnable recorded;
    private Instant newest = Instant.EPOCH;

    /** @param recorded runs when a fire was recorded */
    FireRequests(Vertx vertx, FireStore store, PolicyKeeper policies, Ownership ownership, Runnable recorded) {
        this.vertx = vertx;
        this.store = store;
        this.policies = policies;
        this.ownership = ownership;
        this.recorded = recorded;
    }

    Future<RunAnswer> list(ListSchedules asked) {
        Policy policy = policies.current().policy();
        ScheduleStatuses statuses = new ScheduleStatuses(store, policy);
        return asked.name().isEmpty()
                ? statuses.all().map(RunAnswer::of)
                : policy.schedule(asked.name().get())
                        .map(schedule -> statuses.of(schedule).map(RunAnswer::of))
                        .orElseGet(() -> unknown(policy, asked.name().get()));
    }

    private static Future<RunAnswer> unknown(Policy policy, String name) {
        return refused(RefusalCode.NOT_FOUND, ScheduleStatuses.unknown(policy, name));
    }

    private static Future<RunAnswer> refused(RefusalCode code, String why) {
        return Future.succeededFuture(RunAnswer.refused(new Refusal(code, why)));
    }

    /** Answers a fire by hand where another process fires. */
    static Future<RunAnswer> elsewhere() {
        return refused(
                RefusalCode.UNAVAILABLE, "this process fires no schedule; start a server with: loopkeeper serve");
    }

    /** Records a fire; answers when it has begun a run, or is known not to. */
    Future<RunAnswer> fire(FireSchedule command) {
        Policy policy = policies.current().policy();
        Optional<Schedule> schedule = policy.schedule(command.name());
        if (schedule.isEmpty()) {
            return unknown(policy, command.name());
        }
        Optional<String> refusal = FireRules.refusal(schedule.get(), command.by());
        if (refusal.isPresent()) {
            return refused(RefusalCode.NOT_ENABLED, refusal.get());
        }
        String key = command.by().wire() + "/"
                + command.key().orElseGet(() -> UUID.randomUUID().toString());
        Fire wanted = Fire.due(command.name(), nextInstant(), key, command.by(), ownership.node(), command.vars());
        return store.addFire(wanted).compose(fire -> {
            if (!fire.vars().equals(command.vars())) {
                return refused(
                        RefusalCode.IDEMPOTENCY_KEY_REUSED,
                        "this key was already sent with other vars; send a new key with each new request");
            }
            recorded.run();
            return outcome(fire, LOOKS).map(RunAnswer::of);
        });
    }

    /** Fires by hand of the same millisecond are two. */
    private Instant nextInstant() {
        Instant now = Instants.now();
        newest = now.isAfter(newest) ? now : newest.plusMillis(1);
        return newest;
    }

    private Future<Fire> outcome(Fire fire, int looks) {
        if (fire.outcome() != Outcome.DUE || looks == 0) {
            return Future.succeededFuture(fire);
        }
        return vertx.timer(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)
                .compose(due -> store.fires(fire.schedule(), FireStore.KEPT))
                .compose(fires -> outcome(
                        fires.stream()
                                .filter(known -> known.key().equals(fire.key()))
                                .findFirst()
                                .orElse(fire),
                        looks - 1));
    }
}
