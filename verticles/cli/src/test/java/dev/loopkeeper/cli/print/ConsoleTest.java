package dev.loopkeeper.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleTest {
    @TempDir
    private Path folder;

    @Test
    void hintsNameAProgramOfThePathByItsFileName() throws IOException {
        String mine = program("mine");
        String other = program("other");
        Map<String, String> path = Map.of("PATH", folder.resolve("mine") + ":" + folder.resolve("other"));
        assertThat(Console.shortName(mine, path)).isEqualTo("loopkeeper");
        assertThat(Console.shortName(other, path)).isEqualTo(other);
        assertThat(Console.shortName(mine, Map.of())).isEqualTo(mine);
        assertThat(Console.shortName("loopkeeper", path)).isEqualTo("loopkeeper");
    }

    private String program(String name) throws IOException {
        Path file = Files.createDirectory(folder.resolve(name)).resolve("loopkeeper");
        Files.writeString(file, "#!/bin/sh\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }
}
