package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeapGrowthTest {
    private static final long START = 20L << 20;

    private long size = START;
    private long sizeAfter = START;
    private int collections;
    private HeapGrowth growth;

    @BeforeEach
    void start() {
        growth = new HeapGrowth(() -> size, () -> {
            collections++;
            size = sizeAfter;
        });
    }

    @Test
    void growthIsCollectedOnceItIsMuch() {
        grown(START + HeapGrowth.MOST_BYTES);
        assertThat(collections).isZero();
        grown(START + HeapGrowth.MOST_BYTES + 1);
        assertThat(collections).isOne();
        grown(START + 1);
        assertThat(collections).isOne();
    }

    @Test
    void whatLivesIsNotCollectedAgainAndAgain() {
        sizeAfter = START + 3 * HeapGrowth.MOST_BYTES;
        grown(sizeAfter);
        grown(sizeAfter);
        grown(sizeAfter + HeapGrowth.MOST_BYTES);
        assertThat(collections).isOne();
        grown(sizeAfter + HeapGrowth.MOST_BYTES + 1);
        assertThat(collections).isEqualTo(2);
    }

    @Test
    void growthCountsFromTheSmallestSizeSince() {
        grown(START / 2);
        grown(START / 2 + HeapGrowth.MOST_BYTES + 1);
        assertThat(collections).isOne();
    }

    @Test
    void littleGrowthIsCollectedWhereThereIsLittleToDo() {
        size = START + HeapGrowth.MOST_BYTES_IN_LULL;
        assertThat(growth.lookInLull()).isFalse();
        size++;
        assertThat(growth.look()).isFalse();
        assertThat(growth.lookInLull()).isTrue();
        assertThat(collections).isOne();
        assertThat(growth.lookInLull()).isFalse();
    }

    private void grown(long now) {
        int before = collections;
        size = now;
        boolean told = growth.look();
        assertThat(told).isEqualTo(collections > before);
    }
}
