package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code run.queued}: the run waits for a slot or for a time. {@code run.started} or {@code run.resumed} follows.
 *
 * @param by origin of the request: {@code submit}, {@code operator}, or {@code timer} at a provider's reset time
 * @param action the pending action; {@code continue} for a start
 * @param request the pending request
 * @param since time that orders the queue; absent: time of this event
 */
@JsonTypeName("run.queued")
public record RunQueued(String by, ResumeAction action, ResumeRequest request, Optional<Instant> since)
        implements RunEvent {
    public static final String SUBMIT = "submit";

    /** Queues a first start; the time of creation orders the queue. */
    public static RunQueued toStart(Instant created) {
        return new RunQueued(SUBMIT, ResumeAction.CONTINUE, ResumeRequest.PLAIN, Optional.of(created));
    }

    /** Queues a resume. */
    public static RunQueued toResume(ResumeAction action, ResumeRequest request, String by) {
        return new RunQueued(by, action, request, Optional.empty());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        Optional<Condition> rest = restOf(state.condition());
        Condition.PendingResume pending = new Condition.PendingResume(rest, request, by, since.orElse(at));
        if (request.at().isPresent() && state.condition() instanceof Condition.Paused paused) {
            Condition.PendingResume later = new Condition.PendingResume(Optional.empty(), request, by, at);
            return state.withCondition(
                    new Condition.Paused(paused.pause().withResumeAt(request.at()), Optional.of(later)));
        }
        return state.withCondition(new Condition.Queued(request.at().isEmpty(), Optional.of(pending)));
    }

    @Override
    public String text() {
        String what = ", requested by " + by + ": " + action.wire();
        return request.at().map(time -> "waits until " + time + what).orElse("waits for a slot" + what);
    }

    private static Optional<Condition> restOf(Condition before) {
        boolean rests = before instanceof Condition.Paused || before instanceof Condition.Ended;
        return before instanceof Condition.Queued waiting
                ? waiting.rest()
                : Optional.of(before).filter(condition -> rests);
    }
}
