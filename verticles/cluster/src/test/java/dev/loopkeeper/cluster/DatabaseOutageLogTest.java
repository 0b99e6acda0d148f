package dev.loopkeeper.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.ownership.BootTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatabaseOutageLogTest {
    private static final String WHAT = "the lease was not renewed: it is away";

    private final DatabaseOutageLog log = new DatabaseOutageLog();
    private final List<String> reported = new ArrayList<>();

    private void ask(int times, long fromMillis) {
        for (int time = 0; time < times; time++) {
            log.unanswered(new BootTime(fromMillis + time * 250L), WHAT).ifPresent(reported::add);
        }
    }

    @Test
    void logsAnOutageAtItsStartEachMinuteAndAtItsEnd() {
        ask(500, 10_000);
        log.answered(new BootTime(135_000)).ifPresent(reported::add);

        assertThat(reported)
                .containsExactly(
                        WHAT + "; the node retries and logs this once a minute",
                        WHAT + "; 241 queries without an answer in 60 s",
                        WHAT + "; 481 queries without an answer in 120 s",
                        "the database answers again; 500 queries without an answer in 125 s");
    }

    @Test
    void doesNotLogADatabaseThatAlwaysAnswers() {
        assertThat(log.answered(new BootTime(10_000))).isEmpty();
    }

    @Test
    void logsTheNextOutageAsTheFirst() {
        ask(1, 10_000);
        assertThat(log.answered(new BootTime(11_000)))
                .contains("the database answers again; 1 query without an answer in 1 s");
        reported.clear();

        ask(2, 12_000);

        assertThat(reported).containsExactly(WHAT + "; the node retries and logs this once a minute");
    }
}
