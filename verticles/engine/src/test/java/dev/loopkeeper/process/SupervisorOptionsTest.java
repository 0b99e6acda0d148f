package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loopkeeper.step.LogLimit;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SupervisorOptionsTest {
    private static final Path DATA = Path.of("/data");
    private static final InheritedEnvironment ALL = InheritedEnvironment.ALL;
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void hasTheStatedDefaults() {
        assertThat(SupervisorOptions.of(DATA))
                .isEqualTo(new SupervisorOptions(
                        DATA,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(3),
                        Duration.ofMillis(100),
                        8,
                        LogLimit.DEFAULT,
                        InheritedEnvironment.ALL));
    }

    @Test
    void pollsAnAgentWithAnExitListenerEachFiveSeconds() {
        assertThat(SupervisorOptions.of(DATA).relaxedPoll()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void makesTheDataFolderAbsolute() {
        assertThat(SupervisorOptions.of(Path.of("a/../b")).data()).isAbsolute().endsWithRaw(Path.of("b"));
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new SupervisorOptions(Path.of("data"), SECOND, SECOND, SECOND, 1, LogLimit.NONE, ALL))
                .hasMessage("data must be an absolute path, was data");
        assertThatThrownBy(() -> new SupervisorOptions(DATA, Duration.ZERO, SECOND, SECOND, 1, LogLimit.NONE, ALL))
                .hasMessage("killPatience must be > 0, was PT0S");
        assertThatThrownBy(() -> new SupervisorOptions(DATA, SECOND, Duration.ZERO, SECOND, 1, LogLimit.NONE, ALL))
                .hasMessage("recordPatience must be > 0, was PT0S");
        assertThatThrownBy(
                        () -> new SupervisorOptions(DATA, SECOND, SECOND, Duration.ofMillis(1), 1, LogLimit.NONE, ALL))
                .hasMessage("maxPoll must be 10 ms to 1 s, was PT0.001S");
        assertThatThrownBy(() -> new SupervisorOptions(DATA, SECOND, SECOND, SECOND, 0, LogLimit.NONE, ALL))
                .hasMessage("workers must be 1 to 64, was 0");
    }
}
