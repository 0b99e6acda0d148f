package dev.loopkeeper.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which signal files are from before the launch. */
class SignalAgeTest {
    private static final Instant PREPARED = Instant.parse("2026-11-20T15:00:07.400Z");

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T15:00:07.399Z, true",
        "2026-11-20T15:00:07.400Z, false",
        "2026-11-20T15:00:07Z, false", // rsync, tar and some file systems keep whole seconds
        "2026-11-20T15:00:06Z, true",
        "1970-01-01T00:00:00Z, true",
        "2031-01-01T00:00:00Z, false"
    })
    void isStaleFromBeforeThePlaceWasMadeFree(Instant changed, boolean stale) {
        assertThat(new SignalAge(changed, PREPARED).stale()).isEqualTo(stale);
    }
}
