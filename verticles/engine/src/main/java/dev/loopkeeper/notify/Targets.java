package dev.loopkeeper.notify;

import dev.loopkeeper.checkpoint.CheckpointException;
import dev.loopkeeper.checkpoint.RunHistory;
import dev.loopkeeper.manifest.NotifySpec;
import dev.loopkeeper.run.Plan;
import dev.loopkeeper.store.StoredEvent;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receivers of one run's events.
 *
 * @param name the run's name
 * @param workspace absolute path
 * @param baseDir absolute path of the manifest's folder
 */
record Targets(String name, String workspace, String baseDir, List<NotifySpec> notifications) {
    private static final Logger LOG = LoggerFactory.getLogger(Targets.class);
    private static final Targets NONE = new Targets("", "", "", List.of());

    /** Reads the receivers from a {@code run.created} event; none where it is unreadable. */
    static Targets of(StoredEvent created) {
        if (RunHistory.hasNoNotifications(created.data())) {
            return NONE;
        }
        try {
            Plan plan = RunHistory.begin(created.type(), created.data(), created.at())
                    .plan();
            return new Targets(
                    plan.manifest().name(),
                    plan.workspace(),
                    plan.baseDir(),
                    plan.manifest().notifications());
        } catch (CheckpointException unreadable) {
            LOG.warn("run {} sends no notifications: {}", created.runId(), unreadable.getMessage());
            return NONE;
        }
    }
}
