package dev.loopkeeper.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.pgclient.PgException;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PgFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "53100, Free disk space on the database server",
        "42703, Another version of Loopkeeper or another program has written these tables",
        "42P01, name another database",
        "42501, its user's rights"
    })
    void aRefusalOfTheServerNamesTheRemedy(String state, String remedy) {
        PgException refused = new PgException("refused", "ERROR", state, "");

        assertThat(new PgFailures("db", Optional.empty()).rejected(refused)).hasMessageContaining(remedy);
    }
}
