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

/** {@code docs/cli.md} tells of every verb and option, and of none that there is not. */
class ReferenceTest {
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]+");
    private static final Pattern HEADING = Pattern.compile("(?m)^## ([a-z]+)$");

    private final CommandLine model = new CommandRunner(
                    new Terminal(Path.of("/nowhere")).console(System.out, System.err), EmbeddedRoot::start)
            .commandLine();

    /** Without what only scripts call. */
    private Map<String, CommandLine> verbs() {
        Map<String, CommandLine> verbs = new HashMap<>(model.getSubcommands());
        verbs.values().removeIf(verb -> verb.getCommandSpec().usageMessage().hidden());
        return verbs;
    }

    private static String reference() throws IOException {
        return Files.readString(Path.of("../../docs/cli.md"));
    }

    @Test
    void everyVerbHasItsSection() throws IOException {
        Set<String> told = new HashSet<>();
        Matcher headings = HEADING.matcher(reference());
        while (headings.find()) {
            told.add(headings.group(1));
        }
        assertThat(told).isEqualTo(verbs().keySet());
    }

    @Test
    void everyOptionIsToldWithItsVariable() throws IOException {
        String text = reference();
        for (OptionSpec option : model.getCommandSpec().options()) {
            assertTold(text, option);
        }
        for (CommandLine verb : verbs().values()) {
            String section = section(text, verb.getCommandName());
            Set<String> real = new HashSet<>();
            for (OptionSpec option : verb.getCommandSpec().options()) {
                real.add(option.longestName());
                if (!option.inherited()) {
                    assertTold(section, option);
                }
            }
            assertThat(options(section)).as(verb.getCommandName()).isSubsetOf(real);
        }
    }

    /** All others print a script, a help, a schema, what an agent wrote, one line when they are ready, or nothing. */
    @Test
    void everyVerbThatPrintsFactsPrintsThemAsJson() {
        Set<String> without = new HashSet<>();
        verbs().forEach((name, verb) -> {
            if (!verb.getCommandSpec().optionsMap().containsKey("--json")) {
                without.add(name);
            }
        });
        assertThat(without).isSubsetOf("completion", "help", "logs", "schema", "serve", "signal");
    }

    private static void assertTold(String text, OptionSpec option) {
        String variable = OptionDefaults.mirrors(option) ? "`" + OptionDefaults.variable(option) + "`" : "";
        String row = "(?m)^\\| `[^|`]*" + option.longestName() + "(=[^|`]*)?` \\| " + variable + " \\|";
        assertThat(text).as(option.longestName()).containsPattern(row);
    }

    private static String section(String text, String verb) {
        int begin = text.indexOf("\n## " + verb + "\n");
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
