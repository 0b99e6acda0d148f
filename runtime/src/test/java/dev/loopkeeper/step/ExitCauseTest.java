package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCauseTest {
    @ParameterizedTest
    @CsvSource({"EXITED, 3", "VANISHED, 3", "STOPPED, 0", "KILLED, 0", "TIMEOUT, 0", "IDLE, 0", "LAUNCH_FAILED, 0"})
    void onlyAnAgentThatEndsByItselfLeavesAnythingBehind(ExitCause cause, int expected) {
        assertThat(cause.leftBehind(3)).isEqualTo(expected);
    }
}
