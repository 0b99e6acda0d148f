package dev.loopkeeper.store;

import static dev.loopkeeper.store.StoreSamples.append;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.json.Json;
import dev.loopkeeper.store.StoreChannels.AppendEvents;
import dev.loopkeeper.store.StoreChannels.Appended;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnAppendsTest {
    private final OwnAppends own = new OwnAppends();

    private List<Boolean> seen(long firstPosition, List<StoredEvent> events) {
        return IntStream.range(0, events.size())
                .mapToObj(index -> own.isOwn(new PositionedEvent(firstPosition + index, events.get(index))))
                .toList();
    }

    @Test
    void whatWasAnsweredIsOwnAndWhatOthersAppendBesideItIsNot() {
        AppendEvents ours = append("ours", 0, 2);
        own.answered(ours, new Appended(12));

        assertThat(seen(10, append("theirs", 0, 1).events())).containsExactly(false);
        assertThat(seen(11, ours.events())).containsExactly(true, true);
        assertThat(seen(13, append("theirs", 1, 1).events())).containsExactly(false);
    }

    /** Numbers and texts are the same when it is read again, but not of the same classes. */
    @Test
    void whatIsDurableWithoutAnAnswerIsKnownAgain() {
        AppendEvents lost = append("run", 3, 2);
        own.unanswered(lost);
        List<StoredEvent> read = lost.events().stream()
                .map(event -> new StoredEvent(
                        event.runId(),
                        event.sequence(),
                        event.at(),
                        event.type(),
                        event.execution(),
                        Json.MAPPER.createObjectNode()))
                .toList();

        assertThat(seen(7, append("other", 3, 2).events())).containsExactly(false, false);
        assertThat(seen(9, read)).containsExactly(true, true);
        assertThat(seen(11, append("run", 5, 1).events()))
                .as("of its next owner")
                .containsExactly(false);
    }

    @Test
    void appendsOfRunsThatWereAbandonedAreNotKeptForGood() {
        int many = 1_001;
        IntStream.range(0, many).forEach(run -> own.unanswered(append("run-" + run, 0, 1)));

        assertThat(seen(1, append("run-0", 0, 1).events())).containsExactly(false);
        assertThat(seen(2, append("run-1", 0, 1).events())).containsExactly(true);
        assertThat(seen(3, append("run-1000", 0, 1).events())).containsExactly(true);
    }

    @Test
    void whatItsNextOwnerAppendsInItsPlaceIsNotOwn() {
        AppendEvents lost = append("run", 3, 2);
        own.unanswered(lost);
        List<StoredEvent> instead = lost.events().stream()
                .map(event -> new StoredEvent(
                        event.runId(),
                        event.sequence(),
                        event.at().plusMillis(1),
                        event.type(),
                        event.execution(),
                        event.data()))
                .toList();

        assertThat(seen(7, instead)).containsExactly(false, false);
    }
}
