package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseFileTest {
    private static final LeaseFile FILE = new LeaseFile(7, new BootTime(105_000));

    @ParameterizedTest
    @CsvSource({"104990, LEAVE", "105000, TERM", "106490, TERM", "106500, KILL", "130000, KILL"})
    void aWardenAsksWithinTheGraceAndEndsAfterIt(long now, WardenOrder order) {
        assertThat(LeaseFile.warden(Optional.of(FILE), new BootTime(now))).isEqualTo(order);
    }

    @Test
    void withoutADeadlineNothingMayBeAlive() {
        assertThat(LeaseFile.warden(Optional.empty(), new BootTime(1_000))).isEqualTo(WardenOrder.KILL);
    }

    @Test
    void aLauncherNeedsTheLeaseUnderWhichItsLaunchWasDecided() {
        assertThat(FILE.permits(7, new BootTime(104_990))).isTrue();
        assertThat(FILE.permits(7, new BootTime(105_000))).isFalse();
        assertThat(FILE.permits(6, new BootTime(104_990))).isFalse();
    }

    @Test
    void theDeadlineIsWrittenInHundredthsCutOff() {
        LeaseFile file = new LeaseFile(7, new BootTime(105_009));
        assertThat(file.text()).isEqualTo("7 10500\n");
        assertThat(LeaseFile.parse(file.text())).contains(FILE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "7 ",
                "0 10500\n",
                "-7 10500",
                "7 -1",
                "7 10500 x",
                "7 10500\n\n",
                "7 1e3",
                "9999999999999999999 1"
            })
    void anotherTextIsNoLease(String text) {
        assertThat(LeaseFile.parse(text)).isEmpty();
    }
}
