package dev.loopkeeper.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.loopkeeper.json.WireName;
import dev.loopkeeper.run.git.GitText;
import dev.loopkeeper.run.progress.EachWork;
import dev.loopkeeper.run.progress.EarlierTries;
import dev.loopkeeper.run.progress.ItemStatus;
import dev.loopkeeper.run.progress.ItemWork;
import dev.loopkeeper.run.step.Verdict;
import dev.loopkeeper.statistics.RunStatistics;
import dev.loopkeeper.statistics.UnitOutcome;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code item.finished}: an attempt of an item ended, or the item is blocked.
 *
 * @param attempt 0 for a blocked item
 * @param outcome of the attempt: {@code approved}, {@code rejected}, {@code failed}; or {@code blocked}
 * @param status of the item: {@code pending} before a retry
 * @param isFinal whether the item has ended
 * @param leaves name of the attempt's worktree, which is removed, e.g. {@code frames.f1.2-57}; absent without a
 * worktree
 */
@JsonTypeName("item.finished")
public record ItemFinished(
        String phase,
        String item,
        int attempt,
        ItemStatus outcome,
        ItemStatus status,
        @JsonProperty("final") boolean isFinal,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> leaves)
        implements RunEvent {
    /** The outcome of the attempt that ended; empty for a blocked item. */
    public Optional<UnitOutcome> ended() {
        return WireName.find(UnitOutcome.class, outcome.wire());
    }

    @Override
    public RunState apply(RunState state, Instant at) {
        EachWork each = (EachWork) state.cursor().work();
        ItemWork over = each.item(item).ended(status, isFinal && ended().isPresent());
        ItemWork remembered = ended().map(result -> over.withTries(tries(state, over, result)))
                .orElse(over);
        return state.withWork(each.with(remembered))
                .counting(
                        before -> ended().map(result -> counted(before, result)).orElse(before))
                .changingGit(git -> git.ended(this));
    }

    private RunStatistics counted(RunStatistics before, UnitOutcome became) {
        RunStatistics after = before.afterAttempt(became);
        return isFinal ? after.plusEnded(became, attempt) : after;
    }

    private EarlierTries tries(RunState state, ItemWork work, UnitOutcome became) {
        Optional<String> conflict = state.git()
                .map(git -> git.unmerged(item))
                .filter(files -> !files.isEmpty())
                .map(files -> "conflicts with changes that were merged before, in " + GitText.names(files));
        return work.tries()
                .after(attempt, became, work.last(), conflict, state.countsChanges())
                .rated(Verdict.of(became), state.phase().orElseThrow(), state.manifest());
    }

    @Override
    public String text() {
        return "item " + item + " of " + phase + ": " + outcome.wire() + (isFinal ? "" : ", will be retried");
    }
}
