package dev.loopkeeper.gateway.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.loopkeeper.store.PositionedEvent;
import dev.loopkeeper.store.StoredEvent;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** It held thousands of events, however large each was. */
class ReplayCacheTest {
    private static final int LARGE = 100_000;

    private static PositionedEvent event(long position, int characters) {
        TextNode data = TextNode.valueOf("x".repeat(characters));
        return new PositionedEvent(position, new StoredEvent("run-1", position, Instant.EPOCH, "notice", 1, data));
    }

    @Test
    void holdsNoMoreCharactersThanItMay() {
        ReplayCache cache = new ReplayCache(1000, 3 * LARGE);
        EncodedEvent first = cache.encoded(event(1, LARGE));
        EncodedEvent second = cache.encoded(event(2, LARGE));

        assertThat(cache.encoded(event(1, LARGE))).isSameAs(first);
        assertThat(cache.encoded(event(3, LARGE)).position()).isEqualTo(3);
        assertThat(cache.encoded(event(1, LARGE))).isSameAs(first);
        assertThat(cache.encoded(event(2, LARGE))).isNotSameAs(second);
    }

    @Test
    void encodesOnceWhatIsAskedForAgain() {
        ReplayCache cache = new ReplayCache(2, LARGE);
        EncodedEvent first = cache.encoded(event(1, 1));

        assertThat(cache.encoded(event(1, 1))).isSameAs(first);
        assertThat(cache.encoded(event(2, 1)).position()).isEqualTo(2);
        assertThat(cache.encoded(event(3, 1)).position()).isEqualTo(3);
        assertThat(cache.encoded(event(1, 1))).isNotSameAs(first);
    }
}
