package dev.loopkeeper.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.StoreException;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    /** It said that the store cannot be used, also to a request that only reads. */
    @Test
    void aDamagedRecordIsNotAStoreThatCannotBeUsed() {
        StoreException damaged = StoreException.ofDamagedRecord("events.db: the row of run one is damaged");
        StoreException full = new StoreException("events.db: the disk is full", null);

        assertThat(Refusals.storeUnavailable(damaged).refusal().orElseThrow().message())
                .isEqualTo("events.db: the row of run one is damaged");
        assertThat(Refusals.storeUnavailable(full).refusal().orElseThrow().message())
                .isEqualTo("nothing was done, because the event store cannot be used: events.db: the disk is full");
    }
}
