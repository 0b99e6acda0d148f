package dev.loopkeeper.store;

import dev.loopkeeper.policy.Fire;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Port: the fires of schedules. Of each schedule the newest ones are kept, and the newest that began a run or failed. Fails as {@link EventStore} does. */
public interface FireStore {
    /** Number of fires of a schedule, by cron, hand or hook, that are kept and whose keys are known. */
    int KEPT = 1000;

    /** Adds a fire unless the schedule has one with its key. Returns the one that is there. */
    Future<Fire> addFire(Fire fire);

    /** Replaces the open fire with this schedule and key; one that is not open stays. Returns the one that is there. */
    Future<Fire> changeFire(Fire fire);

    /** Returns fires of a schedule without its applications, newest first, at most {@code limit}. */
    Future<List<Fire>> fires(String schedule, int limit);

    /** Returns the newest fire of a schedule that began a run or failed. */
    Future<Optional<Fire>> newestTried(String schedule);

    /** Returns the fires of all schedules that are open, oldest first. */
    Future<List<Fire>> openFires();

    /** Returns the failed fires whose receivers are not notified yet, oldest first. */
    Future<List<Fire>> unsentFires();

    /** Records that the receivers were notified of this failed fire. */
    Future<Void> sentFire(Fire fire);

    /** Returns of each schedule the newest application and the newest fire of its cron expression. */
    Future<List<Fire>> newestTimes();
}
