package dev.loopkeeper.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EnvironmentTextTest {
    @Test
    void whatFitsIsLeftAsItIs() {
        String longest = "x".repeat(EnvironmentText.MOST_BYTES);

        assertThat(EnvironmentText.of("")).isEmpty();
        assertThat(EnvironmentText.of("be careful\nä")).isEqualTo("be careful\nä");
        assertThat(EnvironmentText.of(longest)).isEqualTo(longest);
    }

    @Test
    void longFeedbackIsCutBetweenCharactersSoThatTheAgentCanStart() {
        for (String character : new String[] {"x", "ä", "☃", "😀"}) {
            String cut = EnvironmentText.of(character.repeat(200_000));

            assertThat(cut).endsWith(character + EnvironmentText.CUT);
            assertThat(cut.getBytes(StandardCharsets.UTF_8).length)
                    .isBetween(EnvironmentText.MOST_BYTES - 4, EnvironmentText.MOST_BYTES + 100);
        }
    }

    @Test
    void aNulIsLeftOut() {
        assertThat(EnvironmentText.of("a\0b")).isEqualTo("ab");
    }
}
