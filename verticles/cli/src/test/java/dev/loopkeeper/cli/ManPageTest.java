package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page says what {@code --help} does. */
class ManPageTest {
    private final CommandLine model = new CommandRunner(
                    new Terminal(Path.of("/nowhere")).console(System.out, System.err), EmbeddedRoot::start)
            .commandLine();

    @Test
    void everyCommandAndOptionIsInIt() {
        String page = ManPage.of(model, "1.2.3", "2026-11-20");
        assertThat(page).startsWith(".TH LOOPKEEPER 1 \"2026-11-20\" \"loopkeeper 1.2.3\"");
        for (CommandLine command : model.getSubcommands().values()) {
            boolean described = !command.getCommandSpec().usageMessage().hidden();
            assertThat(page.contains("\n.SS " + command.getCommandName() + "\n"))
                    .as(command.getCommandName())
                    .isEqualTo(described);
            for (OptionSpec option : described ? command.getCommandSpec().options() : List.<OptionSpec>of()) {
                assertThat(page).contains(option.longestName().replace("-", "\\-"));
            }
        }
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .allMatch(line -> line.matches("\\.(TH|SH|SS|nf|fi)\\b.*"));
        assertThat(page).doesNotContain("%n", "@|");
    }
}
