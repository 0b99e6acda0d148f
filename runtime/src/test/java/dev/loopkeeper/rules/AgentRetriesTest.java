package dev.loopkeeper.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.checkpoint.EventJson;
import dev.loopkeeper.run.Notice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retries of an agent's own are reported, and not too often. */
class AgentRetriesTest {
    private static RunKit run() {
        return RunKit.started(Manifests.loop("maxIterations: 5"));
    }

    @Test
    void theFirstTryIsReportedWithItsCause() {
        RunKit run = run().retries("dev", 1);

        Notice notice = run.lastEvent(Notice.class);
        assertThat(notice.code()).isEqualTo("agent-retrying");
        assertThat(notice.message())
                .isEqualTo("dev retries its request, attempt 1 of 10: 529 overloaded, next in 0.6s");
        assertThat(EventJson.write(notice).at("/retrying").toString())
                .isEqualTo("{\"stepId\":\"build.1.dev.1\",\"agent\":\"dev\",\"cause\":\"529 overloaded\","
                        + "\"attempt\":1,\"most\":10,\"nextInMs\":600}");
    }

    @Test
    void furtherTriesAreReportedAtEachDoublingOfTheTime() {
        RunKit run = run();
        List<Long> reported = new ArrayList<>();
        for (long second = 0; second <= 600; second += 5) {
            run.retries("dev", (int) second).later(Duration.ofSeconds(5));
            if (!run.types().isEmpty()) {
                reported.add(second);
            }
        }

        assertThat(reported).containsExactly(0L, 30L, 60L, 120L, 240L, 480L);
    }

    @Test
    void aRestartReportsNothingAgain() {
        RunKit run = run().retries("dev", 1).crash().retries("dev", 2);

        assertThat(run.types()).isEmpty();
    }
}
