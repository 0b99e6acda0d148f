package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCauseTest {
    @ParameterizedTest
    @CsvSource({
        "EXITED, 3",
        "VANISHED, 3",
        "RUNTIME_DIED, 3",
        "STOPPED, 0",
        "KILLED, 0",
        "TIMEOUT, 0",
        "IDLE, 0",
        "LAUNCH_FAILED, 0"
    })
    void onlyAnAgentThatExitsLeavesOrphans(ExitCause cause, int expected) {
        List<SweptProcess> ended = Collections.nCopies(3, new SweptProcess(4711, "sleep 300", "nonce"));
        assertThat(cause.leftBehind(ended)).hasSize(expected);
    }
}
