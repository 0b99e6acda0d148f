package dev.loopkeeper.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalProgramTest {
    @TempDir
    private Path data;

    @Test
    void aDataFolderWithoutProgramsHasItElsewhere() throws Exception {
        SignalProgram program = new SignalProgram(data, file -> !file.startsWith(data));

        Path first = program.install();

        assertThat(first).isExecutable();
        assertThat(first.startsWith(data)).isFalse();
        assertThat(program.install()).isEqualTo(first);
    }
}
