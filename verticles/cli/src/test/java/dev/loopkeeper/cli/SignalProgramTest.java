package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.process.SignalProgram;
import dev.loopkeeper.verdict.SignalOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalProgramTest extends SignalContract {
    @TempDir
    private static Path data;

    private static Path program;

    @BeforeAll
    static void install() throws IOException {
        program = new SignalProgram(data).install();
    }

    /** With what a shell is to do before, and no search path. */
    private CallResult after(String before, String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", before + "\nexec \"$0\" \"$@\"", program.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LOOPKEEPER_"));
        builder.environment().putAll(environment);
        builder.environment().put("PATH", workspace.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CallResult(process.waitFor(), output);
    }

    @Override
    CallResult signal(String... words) throws Exception {
        return after("", words);
    }

    @Test
    void bytesThatAreNotUtf8AreReplaced() throws Exception {
        String bytes = "\\303\\251 \\377 \\303 \\355\\240\\200 \\300\\257 \\360\\237\\230\\200\\200";
        assertThat(after("set -- --status partial --concern \"$(/usr/bin/printf '" + bytes + "')\""))
                .isEqualTo(new CallResult(0, ""));
        assertThat(written().path("keyConcern").asText().replaceAll("\ufffd+", "?"))
                .isEqualTo("é ? ? ? ? \ud83d\ude00?");
    }

    @Test
    void aFullDiskLeavesNoPartOfASignal() throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "before");

        CallResult result = after("ulimit -f 8", "--status", "completed", "--concern", "x".repeat(100_000));

        assertThat(result.err()).contains("signal file " + file + " cannot be written");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(file).hasContent("before");
        assertThat(file.getParent()).isDirectoryNotContaining(other -> !other.equals(file));
    }

    @Test
    void onlyItsUserMayReadItWhereTheStepSaysSo() throws Exception {
        assertThat(after("umask 077", "--status", "completed")).isEqualTo(new CallResult(0, ""));
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    }

    @Test
    void itsHelpNamesEachOptionAndValue() throws Exception {
        CallResult help = signal("--help");
        assertThat(help.exitCode()).isZero();
        for (SignalOption option : SignalOption.values()) {
            assertThat(help.err()).contains(option.word()).contains(String.join("|", option.allowed()));
        }
    }
}
