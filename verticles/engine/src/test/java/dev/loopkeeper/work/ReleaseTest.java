package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseTest {
    @Test
    void hasTheVersionOfItsBuild() {
        assertThat(Release.version()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }

    @Test
    void isNotWhatMavenWouldHaveFilledIn() {
        assertThat(Release.in("1.2.3\n")).isEqualTo("1.2.3");
        assertThat(Release.in("${project.version}\n")).isEqualTo("development");
    }
}
