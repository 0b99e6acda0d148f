package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnLocaleTest {
    @Test
    void programsGetBackWhatTheStartScriptReplaced() {
        assertThat(after(Optional.of("de_DE"))).containsEntry("LC_ALL", "de_DE");
        assertThat(after(Optional.of(""))).doesNotContainKey("LC_ALL");
        assertThat(after(Optional.empty())).containsEntry("LC_ALL", "C.UTF-8");
    }

    private static Map<String, String> after(Optional<String> before) {
        Map<String, String> environment = new HashMap<>(Map.of("LC_ALL", "C.UTF-8"));
        OwnLocale.giveBack(environment, before);
        return environment;
    }
}
