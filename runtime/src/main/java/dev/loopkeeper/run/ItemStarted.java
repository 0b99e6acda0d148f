package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.ItemWork;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code item.started}: an attempt of an item begins.
 *
 * @param attempt from 1
 * @param again whether the same attempt begins again, after a pause
 * @param undo whether the changes in its worktree are undone first
 * @param leaves name of an abandoned attempt's worktree, which is removed; absent when none was abandoned
 */
@JsonTypeName("item.started")
public record ItemStarted(
        String phase,
        String item,
        int attempt,
        boolean again,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean undo,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> leaves)
        implements RunEvent {
    public ItemStarted(String phase, String item, int attempt, boolean again, boolean undo) {
        this(phase, item, attempt, again, undo, Optional.empty());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        EachWork each = (EachWork) state.cursor().work();
        ItemWork before = each.item(item);
        EarlierTries tries = again
                ? before.tries().begunAgain(Stream.empty())
                : before.tries().begun();
        return state.withWork(each.with((again ? before.sameAttempt() : before.nextAttempt()).withTries(tries)))
                .changingGit(git -> git.begun(this, state.sequence()));
    }

    @Override
    public String text() {
        return "item " + item + " of " + phase + (attempt > 1 ? ", attempt " + attempt : "");
    }
}
