package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.FactStream;
import dev.loopkeeper.cli.session.FakeKeeper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts for which there is no space, as on a full disk, or no reader. */
class LostOutputTest {
    @TempDir
    Path folder;

    private static final class FullStream extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    private Terminal.CommandOutput type(boolean pipe, String... words) {
        Terminal terminal = new Terminal(folder.resolve("data"));
        terminal.environment.put("LOOPKEEPER_DATA", folder.resolve("data").toString());
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8);
        Console console = terminal.console(new FactStream(new FullStream(), pipe), messages);
        int exitCode = new CommandRunner(console, EmbeddedRoot::start).run(words);
        return new Terminal.CommandOutput(exitCode, "", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void whatCannotBeWrittenIsNoSuccess() {
        for (String command : new String[] {"terminations", "schema", "--help"}) {
            Terminal.CommandOutput result = type(false, command);
            assertThat(result.exitCode()).as(command).isEqualTo(7);
            assertThat(result.err()).contains("not all of the output could be written", "No space left on device");
        }
    }

    @Test
    void aReaderThatHadEnoughIsNoFailure() {
        Terminal.CommandOutput result = type(true, "terminations");
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
    }

    @Test
    void aFailureKeepsItsCode() {
        Terminal.CommandOutput result = type(false, "terminations", "--nonsense");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void aFailureWithFactsKeepsItsCode() {
        Terminal.CommandOutput result =
                type(false, "validate", folder.resolve("none.yaml").toString(), "--json");
        assertThat(result.err()).contains("not all of the output could be written");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void theCodeOfARunStays() {
        try (FakeKeeper keeper = new FakeKeeper(folder.resolve("data"))) {
            keeper.ended("good", "completed", "stop", "success");
            keeper.ended("bad", "stopped", "error_max_turns", "capacity");
            Terminal.CommandOutput good = type(false, "wait", "good");
            assertThat(good.exitCode()).as(good.err()).isZero();
            assertThat(good.err()).contains("not all of the output could be written");
            assertThat(type(false, "wait", "bad").exitCode()).isEqualTo(3);
            assertThat(type(false, "show", "good").exitCode()).isEqualTo(7);
        }
    }
}
