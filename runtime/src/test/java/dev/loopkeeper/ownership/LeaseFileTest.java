package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseFileTest {
    private static final LeaseFile FILE = new LeaseFile(7, new BootTime(105_000));

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
