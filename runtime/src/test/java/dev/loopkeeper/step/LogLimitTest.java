package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogLimitTest {
    private static final long MIB = 1 << 20;
    private static final LogLimit LIMIT = new LogLimit(8 * MIB);

    @ParameterizedTest
    @CsvSource({"1GiB,1073741824", "500m,524288000", "65536,65536", "64 KB,65536", "0,0", "2T,2199023255552"})
    void sizesAreRead(String text, long bytes) {
        assertThat(LogLimit.parse(text)).contains(new LogLimit(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "many", "-1", "1.5G", "1", "63KiB", "999999999999T", "1 G B"})
    void whatIsNoSizeIsRefused(String text) {
        assertThat(LogLimit.parse(text)).isEmpty();
    }

    @Test
    void aLimitThatKeepsNothingIsRefused() {
        assertThatThrownBy(() -> new LogLimit(1)).hasMessageContaining("at least 64KiB, was 1");
    }

    @Test
    void aLogWithinItsLimitIsKept() {
        assertThat(LIMIT.drop(8 * MIB, DroppedBytes.NONE, 0)).isEmpty();
        assertThat(LogLimit.NONE.drop(Long.MAX_VALUE, DroppedBytes.NONE, 0)).isEmpty();
    }

    @Test
    void ofALongerOneTheMiddleGoes() {
        DroppedBytes gone = LIMIT.drop(20 * MIB, DroppedBytes.NONE, 0).orElseThrow();
        assertThat(gone).isEqualTo(new DroppedBytes(MIB, 14 * MIB));
        assertThat(LIMIT.drop(21 * MIB, gone, 0)).as("room is left for a while").isEmpty();
        assertThat(LIMIT.drop(21 * MIB, gone, 3 * MIB))
                .as("less room beside another log")
                .contains(new DroppedBytes(MIB, 18 * MIB));
        assertThat(LIMIT.drop(40 * MIB, gone, 100 * MIB).orElseThrow().to())
                .as("half of it at least is each log's own")
                .isEqualTo(38 * MIB);
    }

    @Test
    void whateverComesNoMoreThanTheLimitStaysAndNothingComesBack() {
        DroppedBytes gone = DroppedBytes.NONE;
        for (long size = 0; size < 100 * MIB; size += 12_345) {
            DroppedBytes before = gone;
            gone = LIMIT.drop(size, before, 0).orElse(before);
            assertThat(size - gone.count()).isLessThanOrEqualTo(8 * MIB);
            assertThat(gone.to()).isGreaterThanOrEqualTo(before.to()).isLessThanOrEqualTo(size);
        }
        assertThat(gone.from()).isEqualTo(MIB);
    }

    @Test
    void aLowerLimitThanBeforeKeepsTheBeginningThatIsThere() {
        DroppedBytes gone = new LogLimit(MIB)
                .drop(20 * MIB, new DroppedBytes(MIB, 14 * MIB), 0)
                .orElseThrow();
        assertThat(gone.from()).isEqualTo(MIB);
        assertThat(20 * MIB - gone.to()).isEqualTo(MIB / 8);
    }
}
