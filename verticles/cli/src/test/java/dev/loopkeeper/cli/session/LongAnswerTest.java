package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LongAnswerTest {
    private static final Duration USUAL = Duration.ofMillis(30);
    private static final Duration EVER = Duration.ofDays(1);

    private final CompletableFuture<String> answer = new CompletableFuture<>();
    private final List<String> asked = new ArrayList<>();

    /** A server that says this when it is requested a sign of life for the third time, and before that it lives. */
    private LongAnswer server(LongAnswer.Sign third) {
        return new LongAnswer(
                patience -> {
                    asked.add("within " + patience.toMillis());
                    if (asked.size() == 3) {
                        third.request(patience);
                    }
                },
                USUAL);
    }

    private void answers(Duration patience) {
        answer.complete("at last");
    }

    private void isSilent(Duration patience) {
        throw CommandFailure.unreachable("no answer");
    }

    @Test
    void aServerThatLivesIsWaitedFor() throws Exception {
        assertThat(server(this::answers).await(answer, EVER)).isEqualTo("at last");
        assertThat(asked).hasSize(3).containsOnly("within 20");
    }

    @Test
    void aServerThatGivesNoSignOfLifeIsNot() {
        assertThatThrownBy(() -> server(this::isSilent).await(answer, EVER))
                .isInstanceOf(TimeoutException.class)
                .hasMessageStartingWith("no answer, and no sign of life within 0.0");
    }

    @Test
    void oneThatTakesNoConnectionIsNotEither() {
        LongAnswer server = server(patience -> {
            throw new SocketTimeoutException("Connect timed out");
        });
        assertThatThrownBy(() -> server.await(answer, EVER))
                .isInstanceOf(TimeoutException.class)
                .hasMessageStartingWith("no answer, and no sign of life within 0.0");
    }

    @Test
    void usesAnAnswerThatCameDuringTheTimeout() throws Exception {
        LongAnswer server = server(patience -> {
            answer.complete("at last");
            throw CommandFailure.unreachable("no answer");
        });
        assertThat(server.await(answer, EVER)).isEqualTo("at last");
    }

    @Test
    void throwsTheErrorOfTheAnswer() {
        LongAnswer server = server(patience -> {
            answer.completeExceptionally(new IOException("reset"));
            throw new IOException("refused");
        });
        assertThatThrownBy(() -> server.await(answer, EVER))
                .isInstanceOf(IOException.class)
                .hasMessage("reset");
    }

    @Test
    void aServerThatOnlyLivesIsNotWaitedForForEver() {
        LongAnswer server = new LongAnswer(patience -> {}, USUAL);
        assertThatThrownBy(() -> server.await(answer, USUAL.multipliedBy(3)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no answer within 0.1s");
    }
}
