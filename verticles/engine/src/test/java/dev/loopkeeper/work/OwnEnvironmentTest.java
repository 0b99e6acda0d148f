package dev.loopkeeper.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class OwnEnvironmentTest {
    @Test
    void programsGetBackWhatTheStartScriptReplaced() {
        assertThat(after(Map.of("loopkeeper.inherited.LC_ALL", "de_DE"))).containsEntry("LC_ALL", "de_DE");
        assertThat(after(Map.of("loopkeeper.inherited.LC_ALL", ""))).doesNotContainKey("LC_ALL");
        assertThat(after(Map.of("loopkeeper.program", "/usr/bin/loopkeeper"))).isEqualTo(Map.of("LC_ALL", "C.UTF-8"));
    }

    @Test
    void programsGetBackOptionsOfJavaThatTheScriptRemoved() {
        assertThat(after(Map.of("loopkeeper.inherited.JAVA_TOOL_OPTIONS", "-Xmx1g")))
                .isEqualTo(Map.of("LC_ALL", "C.UTF-8", "JAVA_TOOL_OPTIONS", "-Xmx1g"));
    }

    private static Map<String, String> after(Map<String, String> before) {
        Map<String, String> environment = new HashMap<>(Map.of("LC_ALL", "C.UTF-8"));
        Properties properties = new Properties();
        properties.putAll(before);
        OwnEnvironment.giveBack(environment, properties);
        return environment;
    }
}
