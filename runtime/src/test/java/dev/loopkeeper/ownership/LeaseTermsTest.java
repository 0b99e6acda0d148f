package dev.loopkeeper.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTermsTest {

    @Test
    void theLeaseIsEightSeconds() {
        LeaseTerms terms = LeaseTerms.DEFAULTS;
        assertThat(terms.lease()).isEqualTo(Duration.ofSeconds(8));
        assertThat(terms.renew()).isEqualTo(Duration.ofSeconds(2));
        assertThat(terms.reserve()).isEqualTo(Duration.ofSeconds(2));
        assertThat(terms.stopAfter()).isEqualTo(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -8_000, 5_999, 300_001})
    void aLeaseThatIsTooShortForTheGraceOrVeryLongIsRefused(long millis) {
        assertThatThrownBy(() -> new LeaseTerms(Duration.ofMillis(millis)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lease must be from 6s to 5m, was " + millis + "ms");
    }

    /** With the owner's clock slow and the contender's fast by one in a hundred. */
    @ParameterizedTest
    @ValueSource(longs = {6_000, 6_001, 8_000, 30_000, 300_000})
    void theProcessesAreGoneBeforeAnybodyMayTakeOver(long millis) {
        LeaseTerms terms = new LeaseTerms(Duration.ofMillis(millis));
        assertThat(terms.stopAfter().plus(LeaseTerms.GRACE).plus(LeaseTerms.MARGIN))
                .isLessThan(terms.lease());
        double gone = terms.stopAfter().plus(LeaseTerms.GRACE).toMillis() / 0.99
                + LeaseTerms.WARDEN_INTERVAL.toMillis()
                + SimulatedNode.LONGEST_SEARCH;
        assertThat(gone).isLessThan(millis / 1.01);
        assertThat(terms.renew().plus(terms.reserve())).isLessThan(terms.stopAfter());
    }
}
