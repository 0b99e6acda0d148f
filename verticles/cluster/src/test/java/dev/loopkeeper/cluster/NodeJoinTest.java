package dev.loopkeeper.cluster;

import static dev.loopkeeper.store.StoreSamples.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.loopkeeper.ownership.LeaseTerms;
import dev.loopkeeper.store.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeJoinTest {
    private final NodeJoin join = new NodeJoin("n1", new LeaseTerms(Duration.ofSeconds(6)));

    /** It was reported as a timeout without its subject. */
    @Test
    void aRejectedNodeLogsWhatToCheck() {
        assertThat(catchThrowable(() -> await(join.within(Duration.ofMillis(1)))))
                .hasStackTraceContaining(StoreException.class.getName())
                .hasStackTraceContaining("node n1 got no lease within")
                .hasStackTraceContaining("restart the node");
    }

    @Test
    void aRefusedNodeGetsTheReason() {
        join.refused("node n1 is at work elsewhere");

        assertThat(catchThrowable(() -> await(join.within(Duration.ofMinutes(1)))))
                .hasStackTraceContaining("node n1 is at work elsewhere");
    }
}
