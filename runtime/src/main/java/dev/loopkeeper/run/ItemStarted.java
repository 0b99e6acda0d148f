package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.time.Instant;

/**
 * {@code item.started}: an attempt of an item begins.
 *
 * @param attempt from 1
 * @param again whether the same attempt is begun afresh, after a pause
 */
@JsonTypeName("item.started")
public record ItemStarted(String phase, String item, int attempt, boolean again) implements RunEvent {
    @Override
    public RunState apply(RunState state, Instant at) {
        EachWork each = (EachWork) state.cursor().work();
        ItemWork before = each.item(item);
        return state.with(each.with(again ? before.sameAttempt() : before.nextAttempt()));
    }

    @Override
    public String text() {
        return "item " + item + " of " + phase + (attempt > 1 ? ", attempt " + attempt : "");
    }
}
