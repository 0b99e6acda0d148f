package dev.loopkeeper.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Too few threads are told as that: a start that lacked one hung, below stack traces. */
class SpareThreadsTest {
    private final List<Thread> made = new ArrayList<>();

    private SpareThreads limit(int most) {
        return new SpareThreads(task -> {
            if (made.size() == most) {
                throw new OutOfMemoryError("unable to create native thread: possibly out of memory");
            }
            Thread thread = new Thread(task);
            made.add(thread);
            return thread;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 7})
    void tooFewAreRefusedWithTheRemedy(int most) {
        SpareThreads threads = limit(most);

        assertThatThrownBy(() -> threads.check(8))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no thread to give")
                .hasMessageContaining("only " + most)
                .hasMessageContaining("ulimit -u")
                .extracting(refused -> ((CommandFailure) refused).exitCode())
                .isEqualTo(ExitCodes.REFUSED);
        assertThat(made).noneMatch(Thread::isAlive);
    }

    @Test
    void enoughAreNot() {
        assertThatCode(() -> limit(8).check(8)).doesNotThrowAnyException();

        assertThat(made).hasSize(8).noneMatch(Thread::isAlive);
        assertThatCode(() -> SpareThreads.ofThisProcess().check(SpareThreads.OF_RUNS))
                .doesNotThrowAnyException();
    }
}
