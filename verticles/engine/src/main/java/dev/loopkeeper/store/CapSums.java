package dev.loopkeeper.store;

import dev.loopkeeper.policy.Cap;
import dev.loopkeeper.policy.CapUse;
import dev.loopkeeper.policy.Policy;
import dev.loopkeeper.policy.Window;
import dev.loopkeeper.run.ReportedUsage;
import dev.loopkeeper.run.RunStatus;
import dev.loopkeeper.run.step.LaunchHold;
import dev.loopkeeper.store.EventStore.RunSelection;
import dev.loopkeeper.store.UsageStore.UsageSum;
import dev.loopkeeper.view.Caps;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Sums what the runs of each cap have used; reads only what is new since the last time. Used from one context only. */
public final class CapSums {
    private final EventStore store;
    private Map<String, Sum> known = new HashMap<>();

    public CapSums(EventStore store) {
        this.store = store;
    }

    /** What was reported in one window, up to a position of the store. */
    private record Sum(Cap cap, Window.Span window, UsageSum total) {
        static Sum none(Cap cap, Window.Span window) {
            return new Sum(cap, window, new UsageSum("", "", 0, 0, 0, 0, 0));
        }

        Sum plus(UsageSum more) {
            boolean counts = cap.match().fits(more.name(), more.workspace());
            return new Sum(cap, window, total.plus(more, counts));
        }

        /** Whether it also is that of this cap, whose limits may have changed. */
        boolean isOf(Cap other, Window.Span present) {
            return window.equals(present) && cap.match().equals(other.match());
        }

        CapUse use() {
            return new CapUse(
                    cap,
                    window,
                    dollars(total.costNanoUsd()),
                    dollars(total.estimatedNanoUsd()),
                    total.tokens(),
                    total.unknownSteps());
        }

        private static BigDecimal dollars(long nanos) {
            return nanos == 0
                    ? BigDecimal.ZERO
                    : BigDecimal.valueOf(nanos, ReportedUsage.SCALE).stripTrailingZeros();
        }
    }

    /** Returns the use of each cap in the window that contains this instant. */
    public Future<List<CapUse>> read(Policy policy, Instant now) {
        List<Future<Sum>> sums = policy.caps().stream()
                .map(cap -> read(cap, cap.per().at(now, cap.zone())))
                .toList();
        return Future.all(sums).map(all -> {
            List<Sum> read = all.list();
            known = read.stream().collect(Collectors.toMap(sum -> sum.cap().name(), Function.identity()));
            return read.stream().map(Sum::use).toList();
        });
    }

    private Future<Sum> read(Cap cap, Window.Span window) {
        Sum before = known.get(cap.name());
        Sum begun = before != null && before.isOf(cap, window)
                ? new Sum(cap, window, before.total())
                : Sum.none(cap, window);
        return store.usage(window, begun.total().position()).map(found -> {
            Sum sum = begun;
            for (UsageSum more : found) {
                sum = sum.plus(more);
            }
            return sum;
        });
    }

    /** Returns what people see of the caps. */
    public Future<Caps> show(Policy policy, Instant now) {
        return read(policy, now)
                .compose(uses -> waiting(uses)
                        .map(waiting -> new Caps(uses.stream()
                                .map(use -> Caps.Entry.of(
                                        use, waiting.getOrDefault(use.cap().name(), 0L)))
                                .toList())));
    }

    /** Returns the number of runs that wait for each cap. */
    private Future<Map<String, Long>> waiting(List<CapUse> uses) {
        if (uses.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        RunSelection selection = new RunSelection(Set.of(), Set.of(RunStatus.WAITING.wire()), 0);
        return store.runsAt(selection, Optional.empty())
                .map(found -> found.runs().stream()
                        .map(run -> run.row().view().path("waiting"))
                        .filter(waiting -> LaunchHold.Kind.CAP
                                .wire()
                                .equals(waiting.path("reason").asText()))
                        .collect(Collectors.groupingBy(
                                waiting -> waiting.path("detail").asText(), Collectors.counting())));
    }
}
