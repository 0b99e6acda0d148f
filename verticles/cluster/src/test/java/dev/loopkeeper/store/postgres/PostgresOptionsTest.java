package dev.loopkeeper.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresOptionsTest {
    private static final String URL = "postgresql://loopkeeper@db:5433/runs";

    @Test
    void hasNoPasswordAndAPatienceOfFiveSeconds() {
        assertThat(PostgresOptions.of(URL))
                .isEqualTo(new PostgresOptions(URL, Optional.empty(), Duration.ofSeconds(5)));
        assertThat(PostgresOptions.of(URL).statementLimit()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void showsNoPassword() {
        assertThat(PostgresOptions.of(URL).password("hunter2").password()).contains("hunter2");
        assertThat(PostgresOptions.of(URL).password("hunter2").toString())
                .contains(URL)
                .doesNotContain("hunter2");
    }

    @Test
    void isVerifiedUnlessItStaysOnThisMachine() {
        assertThat(PostgresOptions.of(URL).tls()).contains(StoreTls.SYSTEM);
        assertThat(PostgresOptions.of(URL).tls(Optional.empty()).tls()).isEmpty();
        for (String local : List.of("localhost", "127.0.0.1", "[::1]:5433")) {
            assertThat(PostgresOptions.of("postgresql://loopkeeper@" + local + "/runs")
                            .tls())
                    .isEmpty();
        }
    }

    @Test
    void aRoleMayHaveAColonInItsName() {
        PostgresOptions options = PostgresOptions.of("postgresql://team%3Aloop@localhost/runs");

        assertThat(Database.of(options).connect().getUser()).isEqualTo("team:loop");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://a@db/runs?sslmode=disable",
                "jdbc:postgresql://db/runs",
                "postgresql:///runs",
                "sqlite:file",
                "postgresql://a:secret@db/runs"
            })
    void refusesOtherAddressesAndPasswordsInThem(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresOptions.of(url))
                .withMessageNotContaining("secret");
    }

    @Test
    void refusesAPatienceOfNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PostgresOptions(URL, Optional.empty(), Duration.ZERO));
    }
}
