package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.termination.ResumeAction;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code run.queued}: the run is to be under way and there is no place for it. Nothing goes on; {@code run.started} or
 * {@code run.resumed} tells when it does.
 *
 * @param by what asks: {@code submit}, {@code operator}, or {@code timer} at a provider's reset time
 * @param action what is to be done then; {@code continue} where it is to start
 * @param request what was asked for, kept until then
 * @param since from when on its turn counts; absent: from this event
 */
@JsonTypeName("run.queued")
public record RunQueued(String by, ResumeAction action, ResumeRequest request, Optional<Instant> since)
        implements RunEvent {
    private static final String SUBMIT = "submit";

    /** It is to start for the first time; its turn counts from its creation. */
    public static RunQueued toStart(Instant created) {
        return new RunQueued(SUBMIT, ResumeAction.CONTINUE, ResumeRequest.PLAIN, Optional.of(created));
    }

    /** It is to go on as it was asked to. */
    public static RunQueued toGoOn(ResumeAction action, ResumeRequest request, String by) {
        return new RunQueued(by, action, request, Optional.empty());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        Optional<Condition> rest = restOf(state.condition());
        return state.with(
                new Condition.Queued(true, Optional.of(new Condition.Wish(rest, request, by, since.orElse(at)))));
    }

    @Override
    public String text() {
        return "waits for a place, asked for by " + by + ": " + action.wire();
    }

    private static Optional<Condition> restOf(Condition before) {
        boolean rests = before instanceof Condition.Paused || before instanceof Condition.Ended;
        return before instanceof Condition.Queued waiting
                ? waiting.rest()
                : Optional.of(before).filter(known -> rests);
    }
}
