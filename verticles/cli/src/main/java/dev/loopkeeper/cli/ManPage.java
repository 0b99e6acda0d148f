package dev.loopkeeper.cli;

import dev.loopkeeper.cli.print.Console;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the manual page from the help texts of the program and its commands. The packaging build runs it. */
final class ManPage {
    private static final int WIDTH = 76;

    private ManPage() {}

    /**
     * Prints the manual page.
     *
     * @param arguments the version and the date of the release, e.g. {@code 0.1.0 2026-11-20}
     */
    public static void main(String[] arguments) {
        CommandLine commands = new CommandRunner(Console.system(), EmbeddedRoot::start).commandLine();
        System.out.print(of(commands, arguments[0], arguments[1]));
    }

    static String of(CommandLine commands, String version, String date) {
        commands.setUsageHelpWidth(WIDTH);
        String name = commands.getCommandName();
        return ".TH " + name.toUpperCase(Locale.ROOT) + " 1 \"" + date + "\" \"" + name + " " + version
                + "\" \"User commands\"\n"
                + ".SH NAME\n" + name + " \\- "
                + escaped(String.join(
                        " ", commands.getCommandSpec().usageMessage().description()))
                + "\n.SH DESCRIPTION\n" + asItIs(commands.getUsageMessage(Help.Ansi.OFF))
                + ".SH COMMANDS\n"
                + commands.getSubcommands().values().stream()
                        .filter(command ->
                                !command.getCommandSpec().usageMessage().hidden())
                        .map(ManPage::section)
                        .collect(Collectors.joining())
                + """
                .SH ENVIRONMENT
                Every option can be given by a variable, e.g. \\-\\-max\\-runs by LOOPKEEPER_MAX_RUNS. What is typed wins.
                .SH FILES
                /etc/loopkeeper/loopkeeper.conf is the configuration of the packaged service, /var/lib/loopkeeper its home.
                Without \\-\\-data everything is kept in ~/.local/state/loopkeeper.
                """;
    }

    /** Returns the section of one command, without the options that all commands share. */
    private static String section(CommandLine command) {
        Help help = command.getHelp();
        List<OptionSpec> options = command.getCommandSpec().options().stream()
                .filter(option -> !option.inherited())
                .toList();
        return ".SS " + escaped(command.getCommandName()) + "\n"
                + asItIs(help.synopsis(0)
                        + help.description()
                        + help.parameterList()
                        + help.optionListExcludingGroups(options)
                        + help.footer());
    }

    private static String asItIs(String text) {
        return ".nf\n" + text.lines().map(ManPage::escaped).collect(Collectors.joining("\n")) + "\n.fi\n";
    }

    /** Escapes a line for roff, where a leading dot or apostrophe starts a request. */
    private static String escaped(String line) {
        String plain = line.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
