package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {
    @ParameterizedTest
    @CsvSource({
        "0, $0.00",
        "25, $25.00",
        "1.234567891, $1.23",
        "0.30000000000000004, $0.30",
        "0.0123456, $0.01",
        "0.00123456, $0.0012",
        "0.000000123, $0.00000012",
        "-0.5, -$0.50",
        "1e15, $1000000000000000.00",
    })
    void moneyIsInWholeCentsUnlessItIsLessThanOne(double amount, String shown) {
        assertThat(Amounts.dollars(amount)).isEqualTo(shown);
    }

    @Test
    void aNounFollowsItsNumber() {
        assertThat(Amounts.count(1, "step")).isEqualTo("1 step");
        assertThat(Amounts.count(0, "step")).isEqualTo("0 steps");
        assertThat(Amounts.count(1, "retry", "retries")).isEqualTo("1 retry");
        assertThat(Amounts.count(2, "retry", "retries")).isEqualTo("2 retries");
    }
}
