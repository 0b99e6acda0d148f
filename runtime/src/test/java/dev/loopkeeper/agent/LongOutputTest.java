package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LongOutputTest {
    private static final byte[] RESULT =
            "\n{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false}\n".getBytes(StandardCharsets.UTF_8);

    @Test
    void skipsALineThatIsLongerThanItMayBe() {
        AgentOutputReader reader = AgentOutput.reader(OutputDialect.CLAUDE_CODE);
        byte[] chunk = new byte[64 * 1024];
        Arrays.fill(chunk, (byte) '{');
        for (int i = 0; i < 200; i++) {
            reader.stdout(chunk, 0, chunk.length);
        }
        reader.stdout(RESULT, 0, RESULT.length);
        assertThat(finish(reader)).isEqualTo("stop");
    }

    @ParameterizedTest
    @EnumSource(OutputDialect.class)
    void readsManyMegabytesOfChatter(OutputDialect dialect) {
        AgentOutputReader reader = AgentOutput.reader(dialect);
        String line = "{\"type\":\"user\",\"message\":{\"content\":\"" + "x".repeat(4_000) + "\"}}\nnot json at all\n";
        byte[] chunk = line.repeat(15).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 400; i++) {
            reader.stdout(chunk, 0, chunk.length);
            reader.stderr(chunk, 0, chunk.length);
        }
        assertThat(finish(reader)).isEqualTo(dialect == OutputDialect.TEXT ? "stop" : "error_schema_validation");
    }

    private static String finish(AgentOutputReader reader) {
        return reader.finish(ExitFacts.exited(0), Transcript.NOW, Transcript.UTC)
                .termination();
    }
}
