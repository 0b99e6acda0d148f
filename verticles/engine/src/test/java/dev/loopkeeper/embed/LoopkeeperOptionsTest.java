package dev.loopkeeper.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopkeeperOptionsTest {
    private static final LoopkeeperOptions OPTIONS = LoopkeeperOptions.of(Path.of("data"));

    /** Notifications led nowhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not a url",
                "loops.example",
                "ftp://loops.example",
                "https://",
                "https:///x",
                "http://l/?a",
                "http://l/#a"
            })
    void aLinkThatWouldLeadNowhereIsRefused(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.publicUrl(url))
                .withMessage("publicUrl must be an http or https URL with a host and without query or fragment, such as"
                        + " https://loops.example, was '" + url + "'");
    }

    @Test
    void figuresOutsideTheirRangeAreRefusedWhereTheyAreSet() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.maxRuns(-1))
                .withMessage("maxRuns must be 0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.keepLogs(Duration.ZERO))
                .withMessage("keepLogs must be above zero, was PT0S");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://loops.example", "HTTP://127.0.0.1:8080/", "https://[::1]:1/below/"})
    void aLinkMayLeadAnywhere(String url) {
        assertThat(OPTIONS.publicUrl(url).values.publicUrl()).contains(url);
    }
}
