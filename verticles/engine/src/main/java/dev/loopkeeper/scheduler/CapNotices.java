package dev.loopkeeper.scheduler;

import dev.loopkeeper.policy.CapUse;
import dev.loopkeeper.policy.CapUse.Level;
import dev.loopkeeper.rules.RunSlots;
import dev.loopkeeper.rules.message.RunInput;
import dev.loopkeeper.store.StoreChannels.CapUses;
import dev.loopkeeper.view.Caps;
import dev.loopkeeper.work.Instants;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each cap that is nearly or completely used, once for each window and limit: in the log, and to the runs under
 * way that it limits. Used from one context only.
 */
final class CapNotices {
    private static final Logger LOG = LoggerFactory.getLogger(CapNotices.class);
    private static final String NEAR = "cap-near";
    private static final String REACHED = "cap-reached";

    private final Supplier<List<RunActor>> runs;
    private Set<String> reported = Set.of();

    CapNotices(Supplier<List<RunActor>> runs) {
        this.runs = runs;
    }

    void changed(CapUses changed) {
        Set<String> keys = new HashSet<>();
        for (CapUse use : changed.uses()) {
            if (use.level() == Level.BELOW) {
                continue;
            }
            String code = use.level() == Level.REACHED ? REACHED : NEAR;
            String key = String.join(
                    ":",
                    code,
                    use.cap().name(),
                    use.window().start().toString(),
                    use.cap().costUsd().toString(),
                    use.cap().tokens().toString());
            keys.add(key);
            if (!reported.contains(key)) {
                report(use, code, key);
            }
        }
        reported = keys;
    }

    private void report(CapUse use, String code, String key) {
        String message = text(use);
        LOG.warn(message);
        runs.get().stream()
                .filter(run -> RunSlots.holds(run.state().condition()))
                .filter(run -> use.cap()
                        .match()
                        .fits(run.state().manifest().name(), run.state().plan().workspace()))
                .forEach(run -> run.deliver(new RunInput.Remark(Instants.now(), code, message, Optional.of(key))));
    }

    private static String text(CapUse use) {
        String used = "cap " + use.cap().name() + ": " + Caps.Entry.of(use, 0).text() + " used; ";
        return use.level() == Level.REACHED
                ? used + "no further step of its runs is launched before "
                        + use.window().end()
                : used + "at the limit no further step of its runs is launched before "
                        + use.window().end();
    }
}
