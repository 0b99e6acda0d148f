package dev.loopkeeper.rules;

import dev.loopkeeper.run.Condition;
import dev.loopkeeper.run.Pause;
import dev.loopkeeper.run.ResumeRequest;
import dev.loopkeeper.run.RunQueued;
import dev.loopkeeper.run.RunStarted;
import dev.loopkeeper.termination.ResumeAction;
import java.util.List;
import java.util.Optional;

/** What becomes of a run that may go on and has no place, until it gets one. */
final class QueueRules {
    private QueueRules() {}

    /** To be under way now: begins, or carries out what was asked for while there was no place, if there is one. */
    static Decision start(Draft draft) {
        if (draft.state().condition() instanceof Condition.Queued queued) {
            if (draft.hasPlace()) {
                begin(draft, queued);
            } else if (queued.wish().isEmpty()) {
                draft.emit(RunQueued.toStart(draft.state().createdAt()));
            }
        }
        return draft.done();
    }

    /** Keeps what is asked for until there is a place. */
    static Decision keep(Draft draft, ResumeAction action, ResumeRequest request, String by) {
        draft.emit(RunQueued.toGoOn(action, request, by));
        return draft.done();
    }

    /** Somebody asks a queued run to go on: a plain word changes nothing, any other replaces what was asked before. */
    static Decision resume(Draft draft, Condition.Queued queued, ResumeRequest request) {
        boolean known = queued.start() || queued.wish().isPresent();
        if (draft.hasPlace()) {
            begin(draft, request.equals(ResumeRequest.PLAIN) ? queued : asking(draft, queued, request));
        } else if (!known && draft.conflict().isPresent()) {
            return Decision.refused(draft.state(), Refusal.of(draft.conflict().get()));
        } else if (!known || !request.equals(ResumeRequest.PLAIN)) {
            draft.emit(RunQueued.toGoOn(ResumeAction.CONTINUE, request, ResumeRules.OPERATOR));
        }
        return draft.done();
    }

    private static Condition.Queued asking(Draft draft, Condition.Queued queued, ResumeRequest request) {
        Optional<Condition> rest = queued.rest();
        return new Condition.Queued(
                true, Optional.of(new Condition.Wish(rest, request, ResumeRules.OPERATOR, draft.at())));
    }

    /** What was asked for was checked then; a queued run does not change. */
    private static void begin(Draft draft, Condition.Queued queued) {
        ResumeRequest request = queued.wish().map(Condition.Wish::request).orElse(ResumeRequest.PLAIN);
        Optional<Condition> rest = queued.rest();
        if (rest.isPresent() && rest.get() instanceof Condition.Paused paused) {
            afterPause(draft, paused.pause(), queued.wish().orElseThrow());
        } else if (rest.isPresent() && rest.get() instanceof Condition.Ended ended) {
            Resumption.afterEnding(
                    draft, request, new ResumeNeeds(draft.state(), request).missing(ended.termination()));
        } else {
            draft.emit(new RunStarted());
            if (!request.equals(ResumeRequest.PLAIN)) {
                Pause none = ResumeRules.pauseOf(draft, "queued");
                Resumption.afterPause(draft, none, ResumeAction.CONTINUE, request, List.of(), ResumeRules.OPERATOR);
            }
        }
        Advance.run(draft);
    }

    private static void afterPause(Draft draft, Pause pause, Condition.Wish wish) {
        ResumeRequest request = wish.request();
        List<String> missing = new ResumeNeeds(draft.state(), request).missingInPause();
        Resumption.afterPause(draft, pause, ResumeRules.action(pause, request), request, missing, wish.by());
    }
}
