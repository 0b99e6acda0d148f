package dev.loopkeeper.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {
    @ParameterizedTest
    @CsvSource({
        "http://my_hook:9000/x, my_hook, 9000",
        "http://my_hook, my_hook, -1",
        "https://user:pass@my_hook.internal:1/x?y=@, my_hook.internal, 1",
        "http://_a/x, _a, -1",
        "http://[::1]:80/x, [::1], 80",
        "http://plain:9000/x, plain, 9000"
    })
    void aHostMayHaveAnUnderscore(String url, String host, int port) {
        assertThat(Authority.of(URI.create(url))).contains(new Authority(host, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http:///x", "http://my_hook:70000/x", "http://plain:70000/", "http://my_hook:x/", "mailto:a@b_c"
            })
    void whatHasNoUsableHostIsRefused(String url) {
        assertThat(Authority.of(URI.create(url))).isEmpty();
    }

    @Test
    void itsTextHasNoPortWhereNoneIsGiven() {
        assertThat(new Authority("my_hook", -1).text()).isEqualTo("my_hook");
        assertThat(new Authority("my_hook", 9000).text()).isEqualTo("my_hook:9000");
    }
}
