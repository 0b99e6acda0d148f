package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalCommandTest extends SignalContract {
    @Override
    CallResult signal(String... words) {
        Path data = workspace.resolve("data");
        Terminal terminal = new Terminal(data);
        terminal.environment.putAll(environment);
        String[] command = new String[words.length + 1];
        command[0] = "signal";
        System.arraycopy(words, 0, command, 1, words.length);
        Terminal.CommandOutput result = terminal.type(command);
        assertThat(result.out()).isEmpty();
        assertThat(data).doesNotExist();
        return new CallResult(result.exitCode(), result.err());
    }

    @Test
    void oneJsonObjectMaySayMore() throws Exception {
        assertThat(signal("{\"readiness\": \"READY\", \"nonce\": \"another\", \"more\": [1.5]}"))
                .isEqualTo(new CallResult(0, ""));
        assertThat(written().toString())
                .isEqualTo("{\"readiness\":\"READY\",\"nonce\":\"nonce \\\"1\\\"\",\"more\":[1.5]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"determination\": \"DONE\"}|determination must be one of SUCCESS, MILESTONE_SUCCESS, PROGRESS,",
                "{\"usage\": {\"turns\": -1}, \"status\": \"partial\"}|usage.turns must be a whole number",
                "{\"status\": \"partial\", \"attempt\": 2}|attempt is 2, expected 1",
                "{\"status\": \"partial\"|line 1",
                "SUCCESS|line 1",
                "[]|must contain one JSON object",
                "''|no JSON was given",
                "{}|none of status, determination, verdict, readiness and terminal is present"
            })
    void aWrongObjectIsRefused(String json, String message) throws Exception {
        refused(message, json);
    }

    @Test
    void aReasonThatTheManifestDoesNotDeclareIsRefused() throws Exception {
        environment.put("LOOPKEEPER_REASONS", "licence-expired,quota");
        refused("terminal.reasonCode \"made-up\" is neither built in nor declared", terminal("made-up"));
        refused("terminal.reasonCode \"quot\" is neither built in nor declared", terminal("quot"));
        assertThat(signal(terminal("quota"))).isEqualTo(new CallResult(0, ""));
        assertThat(signal(terminal("halted"))).isEqualTo(new CallResult(0, ""));

        environment.put("LOOPKEEPER_REASONS", "");
        refused("terminal.reasonCode \"quota\" is neither built in nor declared", terminal("quota"));

        environment.remove("LOOPKEEPER_REASONS");
        assertThat(signal(terminal("made-up"))).isEqualTo(new CallResult(0, ""));
    }

    private static String terminal(String code) {
        return "{\"terminal\": {\"reason_code\": \"" + code + "\", \"summary\": \"over\"}}";
    }

    @Test
    void anUnknownOptionIsNamedWithoutAWrongHint() throws Exception {
        refused("signal has no option --verbose\n", "--verbose", "--status", "partial");
    }

    @Test
    void optionsAndJsonExcludeEachOther() throws Exception {
        refused("exclude each other", "--status", "completed", "{\"status\": \"completed\"}");
    }

    @Test
    void noVariableAndNoFileOfArgumentsSaysAnything() throws Exception {
        environment.put("LOOPKEEPER_STATUS", "completed");
        environment.put("LOOPKEEPER_CONCERN", "of the environment");
        refused("none of status");
        Path arguments = Files.writeString(workspace.resolve("arguments"), "--status completed");
        assertThat(signal("--status", "partial", "--concern", "@" + arguments).exitCode())
                .isZero();
        assertThat(written().path("keyConcern").asText()).isEqualTo("@" + arguments);
        assertThat(written().path("status").asText()).isEqualTo("partial");
    }
}
