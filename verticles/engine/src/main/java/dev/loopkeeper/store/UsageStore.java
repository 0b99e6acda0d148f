package dev.loopkeeper.store;

import dev.loopkeeper.policy.Window;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/**
 * Port: what steps have reported, by the time of the report. It is durable with the events of {@link
 * EventStore#append}, and outlives its run. Fails as {@link EventStore} does.
 */
public interface UsageStore {
    /**
     * Returns what was reported in this window, by run name and workspace.
     *
     * @param after only what was appended after this position; 0 for all
     */
    Future<List<UsageSum>> usage(Window.Span window, long after);

    /** Forgets what was reported before this time. */
    Future<Void> forgetUsage(Instant before);

    /**
     * What the runs of one name and workspace have reported.
     *
     * @param position of the newest report
     * @param costNanoUsd reported and estimated, in billionths of a dollar
     * @param estimatedNanoUsd the part that is an estimate
     * @param unknownSteps steps that ended with an unreported cost
     */
    record UsageSum(
            String name,
            String workspace,
            long position,
            long costNanoUsd,
            long estimatedNanoUsd,
            long tokens,
            long unknownSteps) {
        /**
         * Adds a later sum.
         *
         * @param counts whether to add more than its position
         */
        UsageSum plus(UsageSum more, boolean counts) {
            return new UsageSum(
                    name,
                    workspace,
                    Math.max(position, more.position),
                    costNanoUsd + (counts ? more.costNanoUsd : 0),
                    estimatedNanoUsd + (counts ? more.estimatedNanoUsd : 0),
                    tokens + (counts ? more.tokens : 0),
                    unknownSteps + (counts ? more.unknownSteps : 0));
        }
    }
}
