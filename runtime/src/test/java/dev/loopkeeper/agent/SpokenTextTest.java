package dev.loopkeeper.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.manifest.OutputDialect;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpokenTextTest {
    private static final String WANTED = "\"ALL\" DONE";

    private static boolean says(OutputDialect dialect, String output) {
        SpokenText text = new SpokenText(dialect, WANTED);
        byte[] bytes = output.replace("@", "\\\"ALL\\\" DONE").getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += 7) {
            text.stdout(bytes, at, Math.min(7, bytes.length - at));
        }
        return text.finish();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            CLAUDE_CODE | {"type":"assistant","message":{"content":[{"type":"text","text":"so: @."}]}}
            CLAUDE_CODE | {"type":"result","subtype":"success","is_error":false,"result":"@"}
            CLAUDE_CODE | [{"type":"system"},{"type":"result","subtype":"success","result":"@"}]
            CLAUDE_CODE | [12:00] {"type":"result","subtype":"success","result":"@"}
            CODEX       | {"type":"item.completed","item":{"id":"1","type":"agent_message","text":"@"}}
            OPENCODE    | {"type":"text","sessionID":"s","part":{"type":"text","text":"@"}}
            GEMINI      | {"type":"message","role":"assistant","content":"@","delta":true}
            GEMINI      | {"session_id":"s","response":"@","stats":{}}
            """)
    void findsWhatTheAgentSays(OutputDialect dialect, String output) {
        assertThat(says(dialect, output + "\n")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            CLAUDE_CODE | {"type":"user","message":{"role":"user","content":"print @"}}
            CLAUDE_CODE | {"type":"user","message":{"content":[{"type":"tool_result","content":"@"}]}}
            CLAUDE_CODE | {"type":"user","message":{"role":"user","content":[{"type":"text","text":"@"}]}}
            CLAUDE_CODE | {"message":{"content":[{"type":"text","text":"@"}]},"type":"user"}
            CLAUDE_CODE | { "type": "user", "message": { "content": [ { "type": "text", "text": "@" } ] } }
            CLAUDE_CODE | [{"type":"user","message":{"content":[{"type":"text","text":"@"}]}},{"type":"system"}]
            CLAUDE_CODE | {"type":"user","message":{"content":[{"type":"text","text":"@"}]}}{"type":"system"}
            CLAUDE_CODE | [12:00] {"type":"user","message":{"content":[{"type":"text","text":"@"}]}}
            CLAUDE_CODE | [12:00] {"type":"user","message":{"content":[{"type":"text","text":"@"}]}} {"type":"result"}
            CLAUDE_CODE | {"type":"assistant","is_api_error_message":true,"message":{"content":[{"type":"text","text":"@"}]}}
            CLAUDE_CODE | {"type":"stream_event","message":{"content":[{"type":"text","text":"@"}]}}
            CLAUDE_CODE | {"type":"assistant","message":{"content":[{"type":"thinking","thinking":"@","text":"@"}]}}
            CLAUDE_CODE | {"type":"assistant","message":{"content":[{"type":"tool_use","input":{"text":"@"}}]}}
            CLAUDE_CODE | {"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"@"}]}}
            CLAUDE_CODE | {"type":"result","subtype":"success","is_error":true,"result":"@"}
            CLAUDE_CODE | {"type":"system","subtype":"init","prompt":"@"}
            CLAUDE_CODE | prompt: @
            CODEX       | {"type":"item.completed","item":{"type":"reasoning","text":"@"}}
            CODEX       | {"type":"item.completed","item":{"type":"command_execution","aggregated_output":"@"}}
            OPENCODE    | {"type":"reasoning","part":{"type":"reasoning","text":"@"}}
            OPENCODE    | {"timestamp":1,"type":"reasoning","part":{"type":"reasoning","text":"@"}}
            OPENCODE    | { "type": "reasoning", "part": { "type": "reasoning", "text": "@" } }
            OPENCODE    | {"type":"text","part":{"type":"text","synthetic":true,"text":"@"}}
            CODEX       | {"item":{"type":"agent_message","text":"@"},"type":"item.started"}
            CODEX       | {"type": "user_message", "item":{"type":"agent_message","text":"@"}}
            GEMINI      | {"response":"@","type":"thought"}
            OPENCODE    | {"type":"tool_use","part":{"tool":"bash","state":{"output":"@"}}}
            GEMINI      | {"type":"message","role":"user","content":"@"}
            GEMINI      | {"type":"tool_result","output":"@"}
            """)
    void doesNotFindWhatOthersSay(OutputDialect dialect, String output) {
        assertThat(says(dialect, output + "\n")).isFalse();
    }

    @Test
    void putsTheMessagesOfGeminiTogether() {
        String piece = "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"%s\",\"delta\":true}\n";
        String tool = "{\"type\":\"tool_use\",\"tool_name\":\"read\"}\n";
        String first = piece.formatted("it is \\\"AL");
        String second = piece.formatted("L\\\" DON");
        String third = piece.formatted("E now");

        assertThat(says(OutputDialect.GEMINI, first + second + third)).isTrue();
        assertThat(says(OutputDialect.GEMINI, first + second + tool + third)).isFalse();
    }
}
