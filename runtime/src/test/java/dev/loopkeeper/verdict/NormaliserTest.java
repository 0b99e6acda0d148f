package dev.loopkeeper.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormaliserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "at 2026-11-20T18:29:53Z ok|at <time> ok",
                "2026-11-20T18:29:53.123+01:00 start|<time> start",
                "2026-11-20 18:29:53,123 INFO start|<time> INFO start",
                "on 2026-11-20|on <time>",
                "2026/11/20 18:29:53 [error]|<time> [error]",
                "[20/Nov/2026:18:29:53 +0000] GET|[<time>] GET",
                "Nov 20 18:29:53 host app|<time> host app",
                "Fri Nov 20 18:29:53 UTC 2026|<time>",
                "Fri, 20 Nov 2026 18:29:53 GMT|<time>",
                "11/20/2026, 6:29:53 PM done|<time> done",
                "finished at 18:29:53|finished at <time>",
                "finished at 6:29 pm.|finished at <time>.",
                "epoch 1795190400 end|epoch <time> end",
                "epoch 1795190400123 end|epoch <time> end",
                "epoch 1795190400123456 end|epoch <time> end",
                "epoch 1795190400123456789 end|epoch <time> end",
                "took 12ms|took <duration>",
                "took 3.4 s|took <duration>",
                "took 1m 20s|took <duration>",
                "took 2h13m20s|took <duration>",
                "wait 5m, then 2h|wait <duration>, then <duration>",
                "at 6:29 p.m. sharp|at <time> sharp",
                "took 1 minute and 20 seconds|took <duration>",
                "Tests run: 3, Time elapsed: 1.376 s -- in X|Tests run: 3, Time elapsed: <duration> -- in X",
                "id 0d9f6f1e-5c1b-4a83-9a54-2f6f0c5f7e11.|id <id>.",
                "sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08|sha <id>",
                "Iteration: 7 begins|Iteration <n> begins",
                "iteration 3 of 20|iteration <n>",
                "iter 3|iter <n>",
                "{\"iteration\": 3}|{\"iteration <n>}",
                "iteration_12 and Iteration #4|iteration <n> and Iteration <n>"
            })
    void removesTimesAndIds(String text, String normalised) {
        assertThat(Normaliser.text(text)).isEqualTo(normalised);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "42 tests, 3 failed",
                "Foo.java:12:34 error",
                "version 1.12.3",
                "port 8080 and pid 12345",
                "12345678901 is eleven digits",
                "17951904001234567890 is twenty digits",
                "order 1234567890123456789",
                "order 1000000000000001",
                "shot 4539578763621486 of 16 digits",
                "commit 4290b1c",
                "see shot f12s3 and x86",
                "5M rows, 3 m wide",
                "5 modules, 3 hints, 7 deaths",
                "reiteration 4",
                "in this iteration, 42 tests ran",
                "iterations of the plan"
            })
    void keepsWhatSaysSomething(String text) {
        assertThat(Normaliser.text(text)).isEqualTo(text);
    }

    @Test
    void changesNothingTheSecondTime() {
        String once = Normaliser.text("iteration 3 of 9 at 2026-11-20T18:29:53Z took 1m 20s, id "
                + "0d9f6f1e-5c1b-4a83-9a54-2f6f0c5f7e11, then 1795190400 and 12:30 and 12ms");
        assertThat(Normaliser.text(once)).isEqualTo(once);
    }

    @Test
    @Timeout(120)
    void isLinearInLongHostileTexts() {
        for (String part :
                new String[] {"1", "1:", "1 ", "a1", "2026-11-", "1m", "iteration ", "Nov 1", "f", "1,1.", "3 s,"}) {
            assertThat(Normaliser.text(part.repeat(400_000 / part.length()))).isNotNull();
        }
    }
}
