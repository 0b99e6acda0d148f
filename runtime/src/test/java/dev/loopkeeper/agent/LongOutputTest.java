package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import dev.loopkeeper.step.ErrorRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LongOutputTest {
    private static final byte[] RESULT =
            "\n{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false}\n".getBytes(StandardCharsets.UTF_8);

    @Test
    void skipsALineThatIsLongerThanItMayBe() {
        AgentOutputReader reader = AgentOutput.reader(OutputDialect.CLAUDE_CODE, ErrorRules.builtIn());
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
        AgentOutputReader reader = AgentOutput.reader(dialect, ErrorRules.builtIn());
        String line = "{\"type\":\"user\",\"message\":{\"content\":\"" + "x".repeat(4_000) + "\"}}\nnot json at all\n";
        byte[] chunk = line.repeat(15).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 400; i++) {
            reader.stdout(chunk, 0, chunk.length);
            reader.stderr(chunk, 0, chunk.length);
        }
        assertThat(finish(reader)).isEqualTo(dialect == OutputDialect.TEXT ? "stop" : "error_schema_validation");
    }

    /** {@code -Dloopkeeper.output.megabytes=500} makes it long. */
    @ParameterizedTest
    @EnumSource(OutputDialect.class)
    void keepsTheSameLittleHoweverMuchComes(OutputDialect dialect) {
        AgentOutputReader reader = AgentOutput.reader(dialect, ErrorRules.builtIn());
        int megabytes = Integer.getInteger("loopkeeper.output.megabytes", 16);
        long before = usedMemory();
        for (int megabyte = 0; megabyte < megabytes; megabyte++) {
            byte[] chunk = events(megabyte);
            reader.stdout(chunk, 0, chunk.length);
        }
        assertThat(usedMemory() - before).isLessThan(6 << 20);
        boolean counts = dialect == OutputDialect.CLAUDE_CODE || dialect == OutputDialect.OPENCODE;
        long perLine = dialect == OutputDialect.OPENCODE ? 2 : 1;
        assertThat(reader.usageSoFar().inputTokens())
                .isEqualTo(counts ? OptionalLong.of(1_000L * perLine * megabytes) : OptionalLong.empty());
    }

    /** About a megabyte of events that are read, each with an id of its own, a broken one, and prose without end. */
    private static byte[] events(int number) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 1_000; line++) {
            String id = number + "-" + line;
            text.append("{\"type\":\"assistant\",\"message\":{\"id\":\"")
                    .append(id)
                    .append("\",\"usage\":{\"input_tokens\":1}}}\n{\"type\":\"turn.started\",\"x\":")
                    .append(line)
                    .append("}\n{\"type\":\"error\",\"message\":\"")
                    .append("e".repeat(400))
                    .append("\"}\n{\"type\":\"step_finish\",\"part\":{\"tokens\":{\"input\":2}}}\n{\n")
                    .append("prose ".repeat(60))
                    .append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static String finish(AgentOutputReader reader) {
        return reader.finish(Exits.exited(0), Transcript.NOW, Transcript.UTC)
                .summary()
                .termination();
    }
}
