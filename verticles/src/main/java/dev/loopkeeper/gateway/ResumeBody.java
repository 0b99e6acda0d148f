package dev.loopkeeper.gateway;

import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.StopConditionChanges;
import dev.loopkeeper.termination.ResumeAction;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** The body of {@code POST /runs/{runId}/resume}; everything in it is optional. */
final class ResumeBody {
    /** Every action, in the order of its definition. */
    static final List<String> ACTIONS =
            Arrays.stream(ResumeAction.values()).map(ResumeAction::wire).toList();

    private static final Set<String> KNOWN = Set.of(
            "action",
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
            "dryRun");
    private static final Set<String> BUDGET = Set.of("costUsd", "tokens", "turns");
    private static final String RETRY_RATE = "maxRetryRate";
    private static final String REJECT_RATE = "maxRejectRate";
    private static final String CONSECUTIVE_FAILS = "maxConsecutiveFails";
    private static final String CIRCUIT_BREAKER = "circuitBreaker";
    private static final String MIN_ATTEMPTED = "minAttempted";
    private static final Set<String> STOP_CONDITIONS =
            Set.of(RETRY_RATE, REJECT_RATE, CONSECUTIVE_FAILS, CIRCUIT_BREAKER, MIN_ATTEMPTED);

    private final RequestBody body;

    private ResumeBody(RequestBody body) {
        this.body = body;
    }

    static ResumeBody of(RoutingContext context) {
        return new ResumeBody(RequestBody.of(context, KNOWN));
    }

    /** The action that was asked for, when there is no such action at all. */
    Optional<String> unknownAction() {
        return body.text("action").filter(action -> !ACTIONS.contains(action));
    }

    /** What the scheduler is asked; call it when the action is known. */
    ResumeRequest request() {
        RequestBody budget = body.inside("budget", BUDGET);
        return new ResumeRequest(
                body.text("action").map(ResumeBody::action),
                body.text("feedback"),
                budget.number("costUsd", 0, Double.MAX_VALUE),
                budget.whole("tokens", 0, Long.MAX_VALUE),
                budget.whole("turns", 0, Long.MAX_VALUE),
                small(body.whole("maxIterations", 0, Integer.MAX_VALUE)),
                small(body.whole("maxAttempts", 1, Integer.MAX_VALUE)),
                stopConditions(),
                body.texts("resetItems"),
                body.flag("resetStatistics", false),
                body.flag("acknowledge", false),
                body.text("waive"),
                body.flag("force", false),
                body.flag("dryRun", false));
    }

    private static ResumeAction action(String wire) {
        return Arrays.stream(ResumeAction.values())
                .filter(action -> action.wire().equals(wire))
                .findFirst()
                .orElseThrow();
    }

    private StopConditionChanges stopConditions() {
        RequestBody changes = body.inside("stopConditions", STOP_CONDITIONS);
        return new StopConditionChanges(
                rate(changes, RETRY_RATE),
                rate(changes, REJECT_RATE),
                count(changes, CONSECUTIVE_FAILS),
                count(changes, CIRCUIT_BREAKER),
                count(changes, MIN_ATTEMPTED));
    }

    /** Here null does not mean absent: it turns the condition off, as 0 does. */
    private static OptionalDouble rate(RequestBody changes, String name) {
        OptionalDouble given = changes.number(name, 0, 1);
        return given.isEmpty() && changes.has(name) ? OptionalDouble.of(0) : given;
    }

    private static OptionalInt count(RequestBody changes, String name) {
        OptionalInt given = small(changes.whole(name, 0, Integer.MAX_VALUE));
        return given.isEmpty() && changes.has(name) ? OptionalInt.of(0) : given;
    }

    private static OptionalInt small(OptionalLong checked) {
        return checked.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) checked.getAsLong());
    }
}
