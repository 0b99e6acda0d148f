package dev.loopkeeper.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The groups of commands in the help, with their commands in order. */
enum HelpGroups {
    RUN("Run", "loopkeeper init --agent claude-code && loopkeeper run", "init", "validate", "run", "submit", "wait"),
    LOOK("Look", "loopkeeper explain -", "runs", "watch", "show", "explain", "logs", "diff", "ps"),
    ACT(
            "Act",
            "loopkeeper resume - continue --feedback 'use port 8080'",
            "resume",
            "answer",
            "pause",
            "stop",
            "end",
            "kill",
            "merge"),
    OPERATE(
            "Operate",
            "loopkeeper serve --port 7420 --max-runs 4",
            "serve",
            "doctor",
            "status",
            "nodes",
            "schedules",
            "apply",
            "policy",
            "pools",
            "caps",
            "notify",
            "reap",
            "prune",
            "export",
            "import"),
    MORE("More", "loopkeeper help run", "signal", "ask", "mcp", "schema", "terminations", "help", "completion");

    private static final int INDENT = 2;
    private static final int GAP = 14;

    private final String title;
    private final String example;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; the checker requires another library's type
    private final List<String> commands;

    HelpGroups(String title, String example, String... commands) {
        this.title = title;
        this.example = example;
        this.commands = List.of(commands);
    }

    /** Returns the names of all commands that are shown to people. */
    static List<String> commands() {
        return Arrays.stream(values()).flatMap(group -> group.commands.stream()).toList();
    }

    /** Makes the help of the program print its commands in these groups. */
    static void addTo(CommandLine line) {
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        sections.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
        sections.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
        sections.add(
                sections.indexOf(UsageMessageSpec.SECTION_KEY_DESCRIPTION) + 1,
                UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
        line.setHelpSectionKeys(sections);
        line.getHelpSectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
                        help -> Arrays.stream(values())
                                .map(group -> group.text(help))
                                .collect(Collectors.joining()));
    }

    private String text(Help help) {
        int width = help.commandSpec().usageMessage().width();
        TextTable table = TextTable.forColumns(
                help.colorScheme(),
                new Column(GAP, INDENT, Overflow.SPAN),
                new Column(width - GAP, INDENT, Overflow.WRAP));
        for (String name : commands) {
            Help of = help.subcommands().get(name);
            table.addRowValues(
                    help.colorScheme().commandText(name), help.colorScheme().text(summary(of)));
        }
        return "\n" + title + ", e.g. " + example + "\n" + table;
    }

    /** Returns the first sentence of a command's description. */
    private static String summary(Help command) {
        String[] description = command.commandSpec().usageMessage().description();
        String text = description.length == 0 ? "" : description[0];
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }
}
