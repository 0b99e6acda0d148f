package dev.loopkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loopkeeper.cli.session.OptionDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Compares {@code docs/cli.md} with the commands and their options. */
class ReferenceTest {
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");
    private static final Pattern HEADING = Pattern.compile("(?m)^## ([a-z]+)$");

    private final CommandLine model = new CommandRunner(
                    new Terminal(Path.of("/nowhere")).console(System.out, System.err), EmbeddedRoot::start)
            .commandLine();

    /** Without what only scripts call. */
    private Map<String, CommandLine> subcommands() {
        Map<String, CommandLine> subcommands = new HashMap<>(model.getSubcommands());
        subcommands
                .values()
                .removeIf(
                        subcommand -> subcommand.getCommandSpec().usageMessage().hidden());
        return subcommands;
    }

    private static String reference() throws IOException {
        return Files.readString(Path.of("../../docs/cli.md"));
    }

    @Test
    void everyCommandHasItsSection() throws IOException {
        Set<String> named = new HashSet<>();
        Matcher headings = HEADING.matcher(reference());
        while (headings.find()) {
            named.add(headings.group(1));
        }
        assertThat(named).isEqualTo(subcommands().keySet());
    }

    @Test
    void everyOptionIsDescribedOnce() throws IOException {
        String text = reference();
        String shared = section(text, "Options of several commands");
        for (OptionSpec option : model.getCommandSpec().options()) {
            assertThat(section(text, "Options of all commands")).containsPattern(row(option));
        }
        for (CommandLine command : subcommands().values()) {
            String section = section(text, command.getCommandName());
            Set<String> real = new HashSet<>();
            for (OptionSpec option : command.getCommandSpec().options()) {
                real.add(option.longestName());
                if (!option.inherited()) {
                    assertThat(section).contains("`" + option.longestName());
                    assertThat(section + shared + section(text, "serve")).containsPattern(row(option));
                }
            }
            assertThat(options(section)).as(command.getCommandName()).isSubsetOf(real);
        }
    }

    @Test
    void everyOptionWithoutAVariableIsNamed() throws IOException {
        String environment = section(reference(), "Environment");
        subcommands()
                .forEach((name, command) -> command.getCommandSpec().options().stream()
                        .filter(option -> !option.usageHelp() && !OptionDefaults.mirrors(option))
                        .forEach(option -> assertThat(environment)
                                .as(name + " " + option.longestName())
                                .containsPattern("`(" + option.longestName() + "|" + name + ")`")));
    }

    /** All others print a script, a help, a schema, what an agent wrote, one line when they are ready, or nothing. */
    @Test
    void everyCommandThatPrintsFactsPrintsThemAsJson() {
        Set<String> without = new HashSet<>();
        subcommands().forEach((name, subcommand) -> {
            if (!subcommand.getCommandSpec().optionsMap().containsKey("--json")) {
                without.add(name);
            }
        });
        assertThat(without).isSubsetOf("ask", "completion", "help", "logs", "mcp", "schema", "serve", "signal");
    }

    private static String row(OptionSpec option) {
        return "(?m)^\\| [^|]*`" + option.longestName() + "[=`]";
    }

    private static String section(String text, String heading) {
        int begin = text.indexOf("\n## " + heading + "\n");
        int end = text.indexOf("\n## ", begin + 1);
        return text.substring(begin, end < 0 ? text.length() : end);
    }

    private static Set<String> options(String text) {
        Set<String> names = new HashSet<>();
        Matcher matcher = OPTION.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }
}
