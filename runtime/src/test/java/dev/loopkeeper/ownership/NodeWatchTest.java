package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeWatchTest {
    private static final LeaseTerms TERMS = LeaseTerms.DEFAULTS;
    private static final NodeBeat SILENT = new NodeBeat("n2", 4, 17);

    private static BootTime time(long millis) {
        return new BootTime(millis);
    }

    private static NodeWatch seen(long at, long session, NodeBeat... beats) {
        return NodeWatch.NOTHING.look(time(at), session, List.of(beats));
    }

    @Test
    void whoHasShownTheSameBeatForALeaseIsDue() {
        NodeWatch watch = seen(1_000, 1, SILENT).look(time(5_000), 1, List.of(SILENT));

        assertThat(watch.due(time(8_990), TERMS)).isEmpty();
        assertThat(watch.due(time(9_000), TERMS)).containsExactly(SILENT);
        assertThat(watch.of("n2").orElseThrow().since()).isEqualTo(time(1_000));
    }

    @Test
    void anotherBeatOrIncarnationBeginsAnew() {
        NodeWatch watch = seen(1_000, 1, SILENT);
        for (NodeBeat other : List.of(new NodeBeat("n2", 4, 18), new NodeBeat("n2", 5, 17))) {
            assertThat(watch.look(time(9_000), 1, List.of(other)).due(time(9_000), TERMS))
                    .isEmpty();
        }
    }

    @Test
    void anotherSessionBeginsAnew() {
        NodeWatch watch = seen(1_000, 1, SILENT).look(time(9_000), 2, List.of(SILENT));

        assertThat(watch.due(time(9_000), TERMS)).isEmpty();
        assertThat(watch.look(time(17_000), 2, List.of(SILENT)).due(time(17_000), TERMS))
                .containsExactly(SILENT);
    }

    @Test
    void whoIsNotLiveIsForgotten() {
        NodeWatch watch = seen(1_000, 1, SILENT).look(time(5_000), 1, List.of());

        assertThat(watch.due(time(20_000), TERMS)).isEmpty();
        assertThat(watch.of("n2")).isEmpty();
    }

    @Test
    void eachNodeIsWatchedByItself() {
        NodeBeat lively = new NodeBeat("n1", 1, 5);
        NodeWatch watch =
                seen(1_000, 1, SILENT, lively).look(time(9_000), 1, List.of(new NodeBeat("n1", 1, 6), SILENT));

        assertThat(watch.due(time(9_000), TERMS)).containsExactly(SILENT);
    }
}
