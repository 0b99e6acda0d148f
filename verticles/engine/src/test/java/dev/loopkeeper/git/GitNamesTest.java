package dev.loopkeeper.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class GitNamesTest {
    private static String spelled(String latin) {
        return GitNames.spelled(latin.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void escapesNamesUniquely() {
        assertThat(GitNames.spelled("häuser/日本.txt".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("häuser/日本.txt");
        assertThat(spelled("two words")).isEqualTo("two words");
        assertThat(spelled("a\nb\tc\u0001")).isEqualTo("\"a\\nb\\tc\\001\"");
        assertThat(spelled("say \"a\\b\"")).isEqualTo("\"say \\\"a\\\\b\\\"\"");
        assertThat(spelled("h\u00e4user")).isEqualTo("\"h\\344user\"");
    }

    @Test
    void worktreesRequireARecentGit() {
        assertThat(GitVersion.read("git version 2.37.9").isEnough()).isFalse();
        assertThat(GitVersion.read("git version 2.38.0").isEnough()).isTrue();
        assertThat(GitVersion.read("git version 2.50.1 (Apple Git-155)").isEnough())
                .isTrue();
        assertThat(GitVersion.read("git version 3.0.rc1").isEnough()).isTrue();
        assertThat(GitVersion.read("").isEnough()).isFalse();
    }
}
