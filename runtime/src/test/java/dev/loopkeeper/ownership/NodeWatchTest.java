package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeWatchTest {
    private static final LeaseTerms TERMS = LeaseTerms.DEFAULTS;
    private static final NodeBeat SILENT = new NodeBeat("n2", 4, 17, TERMS);

    private static BootTime time(long millis) {
        return new BootTime(millis);
    }

    private static NodeWatch seen(long at, long session, NodeBeat... beats) {
        return NodeWatch.NOTHING.look(time(at), session, List.of(beats));
    }

    @Test
    void aNodeWithTheSameBeatForALeaseIsDue() {
        NodeWatch watch = seen(1_000, 1, SILENT).look(time(5_000), 1, List.of(SILENT));

        assertThat(watch.due(time(8_990))).isEmpty();
        assertThat(watch.due(time(9_000))).containsExactly(SILENT);
        assertThat(watch.of("n2").orElseThrow().since()).isEqualTo(time(1_000));
    }

    @Test
    void anotherBeatOrIncarnationBeginsAgain() {
        NodeWatch watch = seen(1_000, 1, SILENT);
        for (NodeBeat other : List.of(new NodeBeat("n2", 4, 18, TERMS), new NodeBeat("n2", 5, 17, TERMS))) {
            assertThat(watch.look(time(9_000), 1, List.of(other)).due(time(9_000)))
                    .isEmpty();
        }
    }

    @Test
    void anotherSessionBeginsAgain() {
        NodeWatch watch = seen(1_000, 1, SILENT).look(time(9_000), 2, List.of(SILENT));

        assertThat(watch.due(time(9_000))).isEmpty();
        assertThat(watch.look(time(17_000), 2, List.of(SILENT)).due(time(17_000)))
                .containsExactly(SILENT);
    }

    @Test
    void forgetsNodesThatAreNotLive() {
        NodeWatch watch = seen(1_000, 1, SILENT).look(time(5_000), 1, List.of());

        assertThat(watch.due(time(20_000))).isEmpty();
        assertThat(watch.of("n2")).isEmpty();
    }

    @Test
    void eachNodeIsWaitedForAsLongAsItsOwnLeaseIs() {
        NodeBeat patient = new NodeBeat("n1", 1, 5, new LeaseTerms(Duration.ofMinutes(1)));
        NodeWatch watch = seen(1_000, 1, SILENT, patient);

        assertThat(watch.due(time(60_990))).containsExactly(SILENT);
        assertThat(watch.due(time(61_000))).containsExactly(patient, SILENT);
    }

    @Test
    void watchesEachNodeSeparately() {
        NodeBeat lively = new NodeBeat("n1", 1, 5, TERMS);
        NodeWatch watch =
                seen(1_000, 1, SILENT, lively).look(time(9_000), 1, List.of(new NodeBeat("n1", 1, 6, TERMS), SILENT));

        assertThat(watch.due(time(9_000))).containsExactly(SILENT);
    }
}
