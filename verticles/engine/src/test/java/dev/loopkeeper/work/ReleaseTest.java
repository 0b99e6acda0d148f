package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseTest {
    @Test
    void hasTheVersionOfItsBuild() {
        assertThat(Release.version()).matches("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
    }
}
