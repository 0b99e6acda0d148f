package dev.loopkeeper.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BundleLimitsTest {
    @Test
    void aBundleOfEndlessEventsIsRefusedBeforeTheHeapIsFull() {
        assertThat(BundleLimits.factBytes(256 << 20)).isEqualTo(32 << 20);
        assertThat(BundleLimits.factBytes(64L << 30)).isEqualTo(512 << 20);
    }
}
