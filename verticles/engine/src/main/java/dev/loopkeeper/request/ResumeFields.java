package dev.loopkeeper.request;

import dev.loopkeeper.json.StrictObject;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.manifest.read.DurationText;
import dev.loopkeeper.manifest.read.TimeText;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.statistics.StopConditionChanges;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** The fields of a request to resume; all are optional. */
public final class ResumeFields {
    /** Every action, in the order of its definition. */
    public static final List<String> ACTIONS = WireName.all(ResumeAction.class);

    /** The names of its members but for the action's, which the caller chooses. */
    public static final Set<String> NAMES = Set.of(
            "feedback",
            "budget",
            "maxIterations",
            "maxAttempts",
            "stopConditions",
            "resetItems",
            "resetStatistics",
            "acknowledge",
            "waive",
            "force",
            "dryRun",
            "at");

    private static final Set<String> BUDGET = Set.of("costUsd", "tokens", "turns", "time");
    private static final String RETRY_RATE = "maxRetryRate";
    private static final String REJECT_RATE = "maxRejectRate";
    private static final String CONSECUTIVE_FAILS = "maxConsecutiveFails";
    private static final String CIRCUIT_BREAKER = "circuitBreaker";
    private static final String MIN_ATTEMPTED = "minAttempted";
    private static final Set<String> STOP_CONDITIONS =
            Set.of(RETRY_RATE, REJECT_RATE, CONSECUTIVE_FAILS, CIRCUIT_BREAKER, MIN_ATTEMPTED);

    private final StrictObject fields;
    private final String actionName;

    /** Reads them from this object, the action from the member {@code actionName}. */
    public ResumeFields(StrictObject fields, String actionName) {
        this.fields = fields;
        this.actionName = actionName;
    }

    /** The requested action if no such action exists. */
    public Optional<String> unknownAction() {
        return fields.text(actionName).filter(action -> !ACTIONS.contains(action));
    }

    /** Returns the request to the scheduler; call it when the action is known. */
    public ResumeRequest request() {
        StrictObject budget = fields.inside("budget", BUDGET);
        return ResumeRequest.PLAIN.with(copy -> copy.action(fields.text(actionName)
                        .map(wire -> WireName.find(ResumeAction.class, wire).orElseThrow()))
                .feedback(fields.text("feedback"))
                .costUsd(budget.number("costUsd", 0, Double.MAX_VALUE))
                .tokens(budget.whole("tokens", 0, Long.MAX_VALUE))
                .turns(budget.whole("turns", 0, Long.MAX_VALUE))
                .time(duration(budget, "time"))
                .maxIterations(small(fields.whole("maxIterations", 0, Integer.MAX_VALUE)))
                .maxAttempts(small(fields.whole("maxAttempts", 1, Integer.MAX_VALUE)))
                .stopConditions(stopConditions())
                .resetItems(fields.texts("resetItems"))
                .resetStatistics(fields.flag("resetStatistics", false))
                .acknowledge(fields.flag("acknowledge", false))
                .waive(fields.text("waive"))
                .force(fields.flag("force", false))
                .dryRun(fields.flag("dryRun", false))
                .at(time(fields, "at")));
    }

    /** Reads a time of RFC 3339. */
    public static Optional<Instant> time(StrictObject fields, String name) {
        return fields.text(name).map(text -> {
            Optional<Instant> parsed = TimeText.rfc3339(text);
            fields.require(parsed.isPresent(), name, "must be a time such as 2026-11-20T22:00:00+01:00");
            return parsed.orElseThrow();
        });
    }

    private static Optional<Duration> duration(StrictObject fields, String name) {
        return fields.text(name).map(text -> {
            Optional<Duration> parsed = DurationText.parse(text);
            fields.require(parsed.isPresent(), name, "must be a duration such as " + DurationText.EXAMPLES);
            return parsed.orElseThrow();
        });
    }

    private StopConditionChanges stopConditions() {
        StrictObject changes = fields.inside("stopConditions", STOP_CONDITIONS);
        return new StopConditionChanges(
                rate(changes, RETRY_RATE),
                rate(changes, REJECT_RATE),
                count(changes, CONSECUTIVE_FAILS),
                count(changes, CIRCUIT_BREAKER),
                count(changes, MIN_ATTEMPTED));
    }

    /** Reads a stop condition: null does not mean absent, but turns the condition off, as 0 does. */
    private static OptionalDouble rate(StrictObject changes, String name) {
        OptionalDouble given = changes.number(name, 0, 1);
        return given.isEmpty() && changes.has(name) ? OptionalDouble.of(0) : given;
    }

    private static OptionalInt count(StrictObject changes, String name) {
        OptionalInt given = small(changes.whole(name, 0, Integer.MAX_VALUE));
        return given.isEmpty() && changes.has(name) ? OptionalInt.of(0) : given;
    }

    private static OptionalInt small(OptionalLong checked) {
        return checked.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) checked.getAsLong());
    }
}
