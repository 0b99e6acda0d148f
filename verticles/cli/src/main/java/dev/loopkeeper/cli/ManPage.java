package dev.loopkeeper.cli;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.session.OptionDefaults;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page, made of what {@code --help} says; for those who make packages. */
final class ManPage {
    private final List<String> lines = new ArrayList<>();
    private final String version;
    private final String date;

    private ManPage(String version, String date) {
        this.version = version;
        this.date = date;
    }

    /**
     * Prints it.
     *
     * @param arguments the version and the date of the release, e.g. {@code 0.1.0 2026-11-20}
     */
    public static void main(String[] arguments) {
        CommandLine commands = new CommandRunner(Console.system(), EmbeddedRoot::start).commandLine();
        System.out.print(of(commands, arguments[0], arguments[1]));
    }

    static String of(CommandLine commands, String version, String date) {
        return new ManPage(version, date).page(commands);
    }

    private String page(CommandLine commands) {
        CommandSpec root = commands.getCommandSpec();
        String name = root.name();
        lines.add(".TH " + name.toUpperCase(Locale.ROOT) + " 1 \"" + date + "\" \"" + name + " " + version
                + "\" \"User commands\"");
        section("NAME");
        text(name + " \\- " + escaped(String.join(" ", root.usageMessage().description())));
        section("SYNOPSIS");
        text(".B " + name + "\n[OPTIONS] VERB [OPTIONS] [ARGUMENTS]");
        section("OPTIONS OF EVERY VERB");
        root.options().stream().filter(option -> !option.hidden()).forEach(this::option);
        section("VERBS");
        for (Map.Entry<String, CommandLine> verb : commands.getSubcommands().entrySet()) {
            if (!verb.getValue().getCommandSpec().usageMessage().hidden()) {
                verb(verb.getValue());
            }
        }
        section("EXIT STATUS");
        paragraphs(root.usageMessage().footer());
        section("ENVIRONMENT");
        text(
                "Every option can be given by a variable, e.g. \\-\\-max\\-runs by LOOPKEEPER_MAX_RUNS. What is typed wins.");
        section("FILES");
        text(
                "/etc/loopkeeper/loopkeeper.conf is the configuration of the packaged service, /var/lib/loopkeeper its home."
                        + " Without \\-\\-data everything is kept in ~/.local/state/loopkeeper.");
        return String.join("\n", lines) + "\n";
    }

    private void verb(CommandLine verb) {
        CommandSpec spec = verb.getCommandSpec();
        lines.add(".SS " + escaped(spec.name()));
        String synopsis = verb.getHelp().synopsis(0);
        text(".B " + escaped(Ansi.OFF.string(synopsis).strip().replaceAll("\\s+", " ")));
        lines.add(".PP");
        text(escaped(String.join(" ", spec.usageMessage().description())));
        spec.positionalParameters().stream().filter(each -> !each.hidden()).forEach(this::parameter);
        spec.options().stream()
                .filter(option -> !option.hidden() && !option.inherited())
                .forEach(this::option);
        paragraphs(spec.usageMessage().footer());
    }

    private void parameter(PositionalParamSpec parameter) {
        lines.add(".TP");
        lines.add("\\fI" + escaped(parameter.paramLabel()) + "\\fR");
        text(escaped(String.join(" ", parameter.description())));
    }

    private void option(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : "=\\fI" + escaped(option.paramLabel()) + "\\fR";
        lines.add(".TP");
        lines.add(Arrays.stream(option.names())
                        .map(name -> "\\fB" + escaped(name) + "\\fR")
                        .collect(Collectors.joining(", "))
                + value);
        text(escaped(String.join(" ", option.description())));
        if (OptionDefaults.mirrors(option)) {
            lines.add(escaped("[" + OptionDefaults.variable(option) + "]"));
        }
    }

    private void section(String title) {
        lines.add(".SH " + title);
    }

    private void paragraphs(String... footer) {
        for (String line : footer) {
            if (line.isBlank()) {
                lines.add(".PP");
            } else {
                text(escaped(line));
            }
        }
    }

    private void text(String text) {
        lines.add(text);
    }

    /** A dot or an apostrophe at the beginning of a line would be a command. */
    private static String escaped(String text) {
        String plain =
                text.replace("%n", " ").replace("%%", "%").replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
