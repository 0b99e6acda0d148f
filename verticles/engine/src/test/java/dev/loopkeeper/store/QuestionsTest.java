package dev.loopkeeper.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.contract.RunChannels.RunQuery;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What no store has to check: it cannot be asked. */
class QuestionsTest {
    @Test
    void eventsThatDoNotBelongTogetherCannotBeAppended() {
        AppendEvents second = StoreSamples.append("run-1", 1, 1);
        for (List<StoredEvent> events : List.of(second.events(), List.<StoredEvent>of())) {
            assertThatThrownBy(() ->
                            new AppendEvents("run-1", 0, 1, events, second.row(), Optional.empty(), Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new AppendEvents(
                        "run-2", 1, 1, second.events(), second.row(), Optional.empty(), Optional.empty()))
                .hasMessageContaining("row of run run-1");
    }

    @Test
    void aLimitOutsideOfItsRangeAndAForeignCursorCannotBeRequested() {
        for (int limit : new int[] {-1, 0, 1001}) {
            assertThatThrownBy(() -> new RunQuery(Set.of(), limit, Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 1000");
        }
        assertThatThrownBy(() -> new RunQuery(Set.of(), 1, Optional.of("%%%")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
