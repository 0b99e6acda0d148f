package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.RootStarter;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the virtual machine has not to give ends a command with one line: it was a stack trace, with exit code 1. */
class NoThreadTest {
    @TempDir
    Path folder;

    private Terminal.CommandOutput serve(String failure) {
        RootStarter broken = (vertx, options, serving) -> {
            throw new OutOfMemoryError(failure);
        };
        return new Terminal(folder.resolve("data")).type(broken, "serve", "--port", "0");
    }

    @ParameterizedTest
    @CsvSource({
        "unable to create native thread: possibly out of memory or process/resource limits reached, 2, ulimit -u",
        "Java heap space, 1, LOOPKEEPER_JAVA_OPTS=-Xmx1g"
    })
    void endsWithOneLineThatNamesTheRemedy(String failure, int exitCode, String remedy) {
        Terminal.CommandOutput result = serve(failure);

        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.err()).startsWith("loopkeeper: ").contains(remedy).hasLineCount(1);
    }
}
