package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.step.ErrorKind;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a refused start says of the agent, and of the machine. */
class LaunchExceptionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "error=11, Resource temporarily unavailable",
                "error=12, Cannot allocate memory",
                "error=24, Too many open files"
            })
    void aMachineThatHasNoProcessToGiveIsNoFailureOfTheAgent(String said) {
        LaunchException launch = LaunchException.of("cannot launch agent: " + said, new IOException(said));

        assertThat(launch.isOfMachine()).isTrue();
        assertThat(launch).hasMessageContaining(said).hasMessageContaining("ulimit -u");
        assertThat(AgentEnd.withoutMeans(launch).trouble()).contains(ErrorKind.INFRASTRUCTURE);
    }

    @Test
    void aProgramThatIsNotThereIsOne() {
        String said = "cannot launch agent: error=2, No such file or directory";

        LaunchException launch = LaunchException.of(said, new IOException(said));

        assertThat(launch.isOfMachine()).isFalse();
        assertThat(launch).hasMessage(said);
    }
}
