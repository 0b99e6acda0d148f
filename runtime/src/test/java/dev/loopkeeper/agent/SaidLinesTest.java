package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SaidLinesTest {
    private static List<SaidLine> read(OutputDialect dialect, String text) {
        return read(dialect, text, 1 << 16);
    }

    private static List<SaidLine> read(OutputDialect dialect, String text, int piece) {
        SaidLines reader = SaidLines.ofOutput(dialect, 0);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<SaidLine> lines = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += piece) {
            lines.addAll(reader.feed(bytes, at, Math.min(piece, bytes.length - at)));
        }
        lines.addAll(reader.finish());
        return lines;
    }

    private static List<String> words(OutputDialect dialect, String text) {
        return read(dialect, text).stream()
                .map(line -> line.kind().wire() + " " + line.text())
                .toList();
    }

    @Test
    void claudeCode() {
        assertThat(words(OutputDialect.CLAUDE_CODE, """
                {"type":"system","subtype":"init","tools":["Bash"]}
                {"type":"assistant","message":{"content":[{"type":"text","text":"I look first.\\nThen I fix."},\
                {"type":"tool_use","name":"Bash","input":{"command":"make test","timeout":5}}]}}
                {"type":"user","message":{"content":[{"type":"tool_result","content":"ok 1\\nok 2","is_error":false}]}}
                {"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":529,"error":"overloaded"}
                {"type":"result","subtype":"success","is_error":false,"num_turns":9,"result":"All pass.",\
                "total_cost_usd":0.2874,"usage":{"input_tokens":31,"output_tokens":2904}}
                """))
                .containsExactly(
                        "says I look first.",
                        "says Then I fix.",
                        "tool Bash: make test",
                        "result ok 1 / ok 2",
                        "error retries its request, 1 of 10: 529 overloaded",
                        "usage 9 turns, 31 in, 2904 out, $0.29");
    }

    /** Of a failing test only "test_1 PASSED (+42 lines)" was visible. */
    @Test
    void aResultShowsItsLastLineAndKeepsTheEndOfItsOutput() {
        String passed = IntStream.range(0, 900)
                .mapToObj(test -> "test_number_" + test + " PASSED\\n")
                .collect(Collectors.joining());
        List<SaidLine> lines = read(OutputDialect.CLAUDE_CODE, """
                {"type":"user","timestamp":"2026-11-20T15:20:11.120Z","message":{"content":[{"type":"tool_result",\
                "is_error":true,"content":"%s1 failed, 900 passed"}]}}
                """.formatted(passed));

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).text()).isEqualTo("failed: test_number_0 PASSED (+899 lines) 1 failed, 900 passed");
        assertThat(lines.get(0).at()).contains(Instant.parse("2026-11-20T15:20:11.120Z"));
        assertThat(lines.get(0).output().orElseThrow())
                .endsWith("test_number_899 PASSED\n1 failed, 900 passed")
                .hasSizeLessThanOrEqualTo(SaidLines.LONGEST_OUTPUT);
    }

    @Test
    void theSignalShowsAsTheCallThatTheAgentMade() {
        assertThat(words(OutputDialect.CLAUDE_CODE, """
                {"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":\
                {"command":"\\"$LOOPKEEPER_SIGNAL\\" --determination SUCCESS"}}]}}
                """))
                .containsExactly("tool Bash: \"$LOOPKEEPER_SIGNAL\" --determination SUCCESS");
        assertThat(words(OutputDialect.CODEX, """
                {"type":"item.started","item":{"type":"command_execution","command":"\\"$LOOPKEEPER_SIGNAL\\" --verdict failed"}}
                """))
                .containsExactly("tool shell: \"$LOOPKEEPER_SIGNAL\" --verdict failed");
    }

    @Test
    void claudeCodeThatFailed() {
        assertThat(words(OutputDialect.CLAUDE_CODE, """
                {"type":"result","subtype":"success","is_error":true,"result":"API Error: 429 slow down","num_turns":1}
                """))
                .containsExactly("error API Error: 429 slow down", "usage 1 turn");
    }

    @Test
    void codex() {
        assertThat(words(OutputDialect.CODEX, """
                {"type":"thread.started","thread_id":"t"}
                {"type":"error","message":"Reconnecting... 1/5"}
                {"type":"item.started","item":{"type":"command_execution","command":"bash -lc 'mvn test'"}}
                {"type":"item.completed","item":{"type":"command_execution","aggregated_output":"red","exit_code":1}}
                {"type":"item.completed","item":{"type":"file_change","changes":[{"path":"a.py","kind":"update"}]}}
                {"type":"item.completed","item":{"type":"agent_message","text":"Done."}}
                {"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":1}}
                """))
                .containsExactly(
                        "error Reconnecting... 1/5",
                        "tool shell: bash -lc 'mvn test'",
                        "result exit 1: red",
                        "tool update: a.py",
                        "says Done.",
                        "usage 7 in, 1 out");
    }

    @Test
    void opencodeReportsTheTime() {
        List<SaidLine> lines = read(OutputDialect.OPENCODE, """
                {"type":"text","timestamp":1767225604555,"part":{"text":"Hello"}}
                {"type":"tool_use","timestamp":1767225604556,"part":{"tool":"bash","state":{"status":"completed",\
                "input":{"command":"ls"},"output":"a\\nb\\nc"}}}
                {"type":"error","timestamp":1767225604557,"error":{"name":"APIError","data":{"message":"Rate limit"}}}
                """);

        assertThat(lines)
                .extracting(SaidLine::text)
                .containsExactly("Hello", "bash: ls", "a (+1 lines) c", "APIError: Rate limit");
        assertThat(lines.get(0).at()).contains(Instant.ofEpochMilli(1767225604555L));
    }

    @Test
    void geminiSpeaksInPiecesThatBecomeLines() {
        assertThat(words(OutputDialect.GEMINI, """
                {"type":"message","role":"user","content":"do it"}
                {"type":"message","role":"assistant","content":"I wi","delta":true}
                {"type":"message","role":"assistant","content":"ll.\\nNow","delta":true}
                {"type":"message","role":"assistant","content":" this.","delta":true}
                {"type":"tool_use","tool_name":"run_shell_command","parameters":{"command":"ls"}}
                {"type":"tool_result","status":"error","error":{"message":"denied"}}
                {"type":"result","status":"success","stats":{"input_tokens":5,"output_tokens":2}}
                """))
                .containsExactly(
                        "says I will.",
                        "says Now this.",
                        "tool run_shell_command: ls",
                        "result failed: denied",
                        "usage 5 in, 2 out");
    }

    @Test
    void plainTextAndBrokenJsonAreWordsAsTheyStand() {
        assertThat(words(OutputDialect.TEXT, "one\n\n  two\r\n\u001b[31mred\u001b[0m"))
                .containsExactly("says one", "says two", "says red");
        assertThat(words(OutputDialect.CODEX, "{\"type\": oops\nhello\n[1]\n"))
                .containsExactly("says {\"type\": oops", "says hello", "says [1]");
    }

    @Test
    void offsetsAreThoseOfTheRawLines() {
        String text = "one\n\n{\"type\":\"error\",\"message\":\"ä\"}\nlast";

        for (int piece : List.of(1, 3, 1000)) {
            assertThat(read(OutputDialect.CODEX, text, piece))
                    .extracting(SaidLine::offset)
                    .containsExactly(
                            0L,
                            5L,
                            5L + "{\"type\":\"error\",\"message\":\"ä\"}\n".getBytes(StandardCharsets.UTF_8).length);
        }
    }

    @Test
    void hostileLinesAreBounded() {
        String huge = "x".repeat(3 * SaidLines.LONGEST_RAW);
        List<SaidLine> lines = read(OutputDialect.CLAUDE_CODE, huge + "\n" + "y".repeat(2000) + "\n");

        assertThat(lines).extracting(SaidLine::text).first().isEqualTo("(a line of " + huge.length() + " bytes)");
        assertThat(lines.get(1).text()).hasSize(SaidLines.LONGEST).endsWith("…");
        assertThat(words(OutputDialect.CLAUDE_CODE, "{\"type\":\"assistant\",\"message\":7}\n{\"type\":[]}\n"))
                .isEmpty();
    }
}
