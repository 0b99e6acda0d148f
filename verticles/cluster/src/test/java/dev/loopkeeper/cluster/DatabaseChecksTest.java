package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.store.postgres.DatabaseFacts;
import dev.loopkeeper.store.postgres.PostgresOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What no database of a test shows: another machine and its clock. */
class DatabaseChecksTest {
    private static final PostgresOptions FAR = PostgresOptions.of("postgresql://loopkeeper@db.example/runs");
    private static final String SECRET = "the connection to the database is private";
    private static final String TIME = "the clocks of this machine and the database agree";

    private static DatabaseFacts facts(Duration ahead, Duration asked) {
        return new DatabaseFacts(
                "db.example:5432/runs",
                List.of(),
                new DatabaseFacts.Server("17.5", true, 90),
                new DatabaseFacts.Tables(DatabaseFacts.FORMAT, Optional.empty()),
                new DatabaseFacts.Clock(ahead, asked));
    }

    private static NodeCheck check(String guarantee, DatabaseFacts facts, PostgresOptions options) {
        return DatabaseChecks.of(facts, options).stream()
                .filter(each -> each.guarantee().equals(guarantee))
                .findFirst()
                .orElseThrow();
    }

    private static NodeCheck clock(Duration ahead, Duration asked) {
        return check(TIME, facts(ahead, asked), FAR);
    }

    @Test
    void reportsAClockThatIsFarOffWithoutARefusal() {
        assertThat(clock(Duration.ofSeconds(3), Duration.ofMillis(10)))
                .isEqualTo(NodeCheck.useful(
                        TIME,
                        false,
                        "its clock is 3000 ms ahead of this machine. Leases do not depend on it, but times of events and the displayed silence"
                                + " of nodes are wrong; synchronize both with a time server"));
        assertThat(clock(Duration.ofSeconds(-3), Duration.ofMillis(10)))
                .matches(found -> !found.holds() && found.found().contains("3000 ms behind this machine"));
    }

    @Test
    void doesNotReportADifferenceWithinTheLatency() {
        assertThat(clock(Duration.ofSeconds(3), Duration.ofSeconds(2)).holds()).isTrue();
        assertThat(clock(Duration.ofSeconds(-2), Duration.ZERO).holds()).isTrue();
    }

    @Test
    void reportsARemoteDatabaseWithoutTls() {
        DatabaseFacts facts = facts(Duration.ZERO, Duration.ZERO);

        assertThat(check(SECRET, facts, FAR).holds()).isTrue();
        assertThat(check(SECRET, facts, FAR.tls(Optional.empty())))
                .matches(found -> !found.holds() && !found.needed())
                .matches(found -> found.found().contains("no TLS to db.example:5432/runs"));
    }
}
