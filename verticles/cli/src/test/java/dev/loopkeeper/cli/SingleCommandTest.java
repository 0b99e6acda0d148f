package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command that is typed first is made alone, and is the same as among all. */
class SingleCommandTest {
    private static final Set<String> LIST_ALL = Set.of("help", "completion", "complete-words");

    private final CommandRunner runner =
            new CommandRunner(new Terminal(Path.of("/nowhere")).console(System.out, System.err), EmbeddedRoot::start);

    private Map<String, CommandLine> made(String... arguments) {
        return runner.commandLine(arguments).getSubcommands();
    }

    @Test
    void aCommandIsMadeAloneUnderItsNameWithAllThatItTakes() {
        Map<String, CommandLine> all = runner.commandLine().getSubcommands();
        all.forEach((name, command) -> {
            if (!LIST_ALL.contains(name)) {
                Map<String, CommandLine> alone = made(name, "--data", "x");
                assertThat(alone).containsOnlyKeys(name);
                assertThat(alone.get(name).getUsageMessage()).isEqualTo(command.getUsageMessage());
            }
        });
    }

    @Test
    void loadsAllCommandsForHelpAndUnknownOnes() {
        Set<String> all = runner.commandLine().getSubcommands().keySet();
        assertThat(all).hasSizeGreaterThan(20).containsAll(LIST_ALL);
        assertThat(made("--data", "x", "runs").keySet()).isEqualTo(all);
        assertThat(made("runz").keySet()).isEqualTo(all);
        assertThat(made().keySet()).isEqualTo(all);
        LIST_ALL.forEach(command -> assertThat(made(command).keySet()).isEqualTo(all));
    }
}
