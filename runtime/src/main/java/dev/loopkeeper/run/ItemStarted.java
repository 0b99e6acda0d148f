package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;

/**
 * {@code item.started}: an attempt of an item begins.
 *
 * @param attempt from 1
 * @param again whether the same attempt is begun afresh, after a pause
 * @param undo whether what it changed in its worktree is undone before
 */
@JsonTypeName("item.started")
public record ItemStarted(
        String phase,
        String item,
        int attempt,
        boolean again,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean undo)
        implements RunEvent {
    public ItemStarted(String phase, String item, int attempt, boolean again) {
        this(phase, item, attempt, again, false);
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        EachWork each = (EachWork) state.cursor().work();
        ItemWork before = each.item(item);
        RunState begun = state.with(each.with(again ? before.sameAttempt() : before.nextAttempt()));
        return state.git()
                .map(git -> begun.with(git.begun(this, state.sequence())))
                .orElse(begun);
    }

    @Override
    public String text() {
        return "item " + item + " of " + phase + (attempt > 1 ? ", attempt " + attempt : "");
    }
}
