package dev.loopkeeper.cli;

import dev.loopkeeper.cli.command.AnswerCommand;
import dev.loopkeeper.cli.command.AskCommand;
import dev.loopkeeper.cli.command.DiffCommand;
import dev.loopkeeper.cli.command.EndCommand;
import dev.loopkeeper.cli.command.ExplainCommand;
import dev.loopkeeper.cli.command.ExportCommand;
import dev.loopkeeper.cli.command.InitCommand;
import dev.loopkeeper.cli.command.KillCommand;
import dev.loopkeeper.cli.command.LogsCommand;
import dev.loopkeeper.cli.command.McpCommand;
import dev.loopkeeper.cli.command.MergeCommand;
import dev.loopkeeper.cli.command.NotifyTestCommand;
import dev.loopkeeper.cli.command.PauseCommand;
import dev.loopkeeper.cli.command.ResumeCommand;
import dev.loopkeeper.cli.command.RunManifestCommand;
import dev.loopkeeper.cli.command.RunsCommand;
import dev.loopkeeper.cli.command.SchedulesCommand;
import dev.loopkeeper.cli.command.SchemaCommand;
import dev.loopkeeper.cli.command.ShowCommand;
import dev.loopkeeper.cli.command.SignalCommand;
import dev.loopkeeper.cli.command.StopCommand;
import dev.loopkeeper.cli.command.SubmitCommand;
import dev.loopkeeper.cli.command.TerminationsCommand;
import dev.loopkeeper.cli.command.ValidateCommand;
import dev.loopkeeper.cli.command.WaitCommand;
import dev.loopkeeper.cli.command.WatchCommand;
import dev.loopkeeper.cli.command.admin.ApplyCommand;
import dev.loopkeeper.cli.command.admin.CapsCommand;
import dev.loopkeeper.cli.command.admin.DoctorCommand;
import dev.loopkeeper.cli.command.admin.ImportCommand;
import dev.loopkeeper.cli.command.admin.NodesCommand;
import dev.loopkeeper.cli.command.admin.PolicyCommand;
import dev.loopkeeper.cli.command.admin.PoolsCommand;
import dev.loopkeeper.cli.command.admin.PruneCommand;
import dev.loopkeeper.cli.command.admin.PsCommand;
import dev.loopkeeper.cli.command.admin.ReapCommand;
import dev.loopkeeper.cli.command.admin.ServeCommand;
import dev.loopkeeper.cli.command.admin.StatusCommand;
import dev.loopkeeper.cli.command.help.CandidatesCommand;
import dev.loopkeeper.cli.command.help.CompletionCommand;
import dev.loopkeeper.cli.command.help.HelpCommand;
import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.Conversions;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.NoThread;
import dev.loopkeeper.cli.session.OptionDefaults;
import dev.loopkeeper.cli.session.RootCommand;
import dev.loopkeeper.cli.session.RootStarter;
import dev.loopkeeper.cli.session.SettingsFile;
import dev.loopkeeper.json.NearestName;
import dev.loopkeeper.store.StoreException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs one command line and returns its exit code. Every failure is one message on the error stream. */
final class CommandRunner {
    private static final OptionSpec HELP = OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .scopeType(ScopeType.INHERIT)
            .description("Show this help.")
            .build();
    private static final OptionSpec VERSION = OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Show the version.")
            .build();

    private static final String HIDDEN = "complete-words";

    /** The names of all commands, in the order of the help. */
    private static final List<String> COMMANDS =
            Stream.concat(HelpGroups.commands().stream(), Stream.of(HIDDEN)).toList();

    /** Commands that list the other commands, so that all of them are created. */
    private static final Set<String> LISTING_ALL = Set.of("help", "completion", HIDDEN);

    private static final int WIDTH = 100;

    private final Console console;
    private final RootStarter starter;
    /** Whether the exit code is the one of a run. */
    private boolean ofRun;

    CommandRunner(Console console, RootStarter starter) {
        this.console = console;
        this.starter = starter;
    }

    int run(String... arguments) {
        int exitCode = execute(arguments);
        console.out().flush();
        Optional<String> loss = console.loss();
        loss.ifPresent(why -> console.warn("not all of the output could be written: " + Words.oneLine(why)));
        console.err().flush();
        // A command whose exit code reports the outcome of a run keeps that code.
        return loss.isPresent() && exitCode == ExitCodes.DONE && !ofRun ? ExitCodes.UNREACHABLE : exitCode;
    }

    private int execute(String... arguments) {
        try {
            return commandLine(arguments).execute(arguments);
        } catch (CommandFailure refused) {
            return failed(refused);
        } catch (OutOfMemoryError none) {
            return failed(withoutMemory(none));
        }
    }

    private static CommandFailure withoutMemory(OutOfMemoryError none) {
        return NoThread.is(none)
                ? NoThread.refusal("this command needs one more")
                : new CommandFailure(
                        ExitCodes.FATAL,
                        "there is not enough memory (" + none.getMessage()
                                + "); give it more with LOOPKEEPER_JAVA_OPTS=-Xmx1g, and try again");
    }

    /** Returns the command line with the command that these arguments name; without arguments, with all commands. */
    CommandLine commandLine(String... arguments) {
        OptionDefaults defaults = new OptionDefaults(console.environment());
        RootCommand root = new RootCommand(console, starter, defaults);
        CommandLine line = new CommandLine(root);
        line.getCommandSpec().addOption(HELP).addOption(VERSION);
        needed(arguments).forEach(name -> line.addSubcommand(create(name)));
        Conversions.addTo(line);
        HelpGroups.addTo(line);
        // picocli reads "@name" as a file of arguments by default; here it is plain text.
        return line.setExpandAtFiles(false)
                .setExecutionStrategy(parsed -> configureAndRun(root, defaults, parsed))
                .setDefaultValueProvider(defaults)
                .setUsageHelpWidth(WIDTH)
                .setColorScheme(CommandLine.Help.defaultColorScheme(console.coloured() ? Ansi.ON : Ansi.OFF))
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(this::misused)
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
    }

    /** Returns the parsed line; if it names a configuration file, parses it again with the defaults from that file. */
    private static ParseResult configured(ParseResult parsed, OptionDefaults defaults) {
        Optional<SettingsFile> named =
                parsed.hasSubcommand() && parsed.subcommand().commandSpec().userObject() instanceof ServeCommand serve
                        ? serve.settingsFile()
                        : Optional.empty();
        if (named.isEmpty()) {
            return parsed;
        }
        defaults.take(named.get());
        return parsed.commandSpec()
                .commandLine()
                .parseArgs(parsed.originalArgs().toArray(String[]::new));
    }

    private int configureAndRun(RootCommand root, OptionDefaults defaults, ParseResult typed) {
        ParseResult parsed = typed;
        try {
            parsed = configured(typed, defaults);
            root.configureLogging();
        } catch (CommandFailure refused) {
            return failed(
                    parsed.hasSubcommand()
                            ? root.located(refused, parsed.subcommand().commandSpec())
                            : refused);
        }
        int exitCode = new CommandLine.RunLast().execute(parsed);
        ofRun = root.exitsAsRun();
        return exitCode;
    }

    /** Creates one command. A switch makes Java load only the classes of that command. */
    private static Object create(String name) {
        return switch (name) {
            case "run" -> new RunManifestCommand();
            case "submit" -> new SubmitCommand();
            case "runs" -> new RunsCommand();
            case "show" -> new ShowCommand();
            case "explain" -> new ExplainCommand();
            case "logs" -> new LogsCommand();
            case "diff" -> new DiffCommand();
            case "merge" -> new MergeCommand();
            case "watch" -> new WatchCommand();
            case "stop" -> new StopCommand();
            case "end" -> new EndCommand();
            case "answer" -> new AnswerCommand();
            case "pause" -> new PauseCommand();
            case "resume" -> new ResumeCommand();
            case "wait" -> new WaitCommand();
            case "kill" -> new KillCommand();
            case "export" -> new ExportCommand();
            case "validate" -> new ValidateCommand();
            case "notify" -> new NotifyTestCommand();
            case "schedules" -> new SchedulesCommand();
            case "schema" -> new SchemaCommand();
            case "init" -> new InitCommand();
            case "ask" -> new AskCommand();
            case "mcp" -> new McpCommand();
            case "signal" -> SignalCommand.spec();
            case "terminations" -> new TerminationsCommand();
            case "help" -> HelpCommand.spec();
            case "completion" -> new CompletionCommand();
            case "complete-words" -> new CandidatesCommand();
            default -> administration(name);
        };
    }

    private static Object administration(String name) {
        return switch (name) {
            case "serve" -> new ServeCommand();
            case "ps" -> new PsCommand();
            case "reap" -> new ReapCommand();
            case "status" -> new StatusCommand();
            case "nodes" -> new NodesCommand();
            case "apply" -> new ApplyCommand();
            case "policy" -> new PolicyCommand();
            case "pools" -> new PoolsCommand();
            case "caps" -> new CapsCommand();
            case "prune" -> new PruneCommand();
            case "import" -> new ImportCommand();
            case "doctor" -> new DoctorCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /**
     * Returns the commands to create. If the first argument names one, only that one, and none for the version alone:
     * creating all takes longer than most commands run.
     */
    private static List<String> needed(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        if (arguments.length == 1 && List.of(VERSION.names()).contains(first)) {
            return List.of();
        }
        return COMMANDS.contains(first) && !LISTING_ALL.contains(first) ? List.of(first) : COMMANDS;
    }

    private int misused(ParameterException wrong, String... arguments) {
        console.warn(UsageErrors.of(wrong) + source(wrong));
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String typed = unmatched.getUnmatched().get(0);
            Collection<String> names = unmatched.isUnknownOption()
                    ? unmatched.getSuggestions()
                    : wrong.getCommandLine().getSubcommands().keySet();
            List<String> near = names.stream()
                    .filter(known -> NearestName.of(typed, List.of(known)).isPresent())
                    .toList();
            if (!near.isEmpty()) {
                console.err().println("did you mean " + String.join(" or ", near) + "?");
            }
        }
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        String name = command.parent() == null ? "" : " " + command.name();
        console.err().println("try: " + Words.quoted(console.program()) + name + " --help");
        return ExitCodes.REFUSED;
    }

    /** Returns the environment variable that the invalid value comes from; empty if it was typed. */
    private String source(ParameterException wrong) {
        if (!(wrong.getArgSpec() instanceof OptionSpec option) || wrong.getValue() == null) {
            return "";
        }
        String variable = OptionDefaults.variable(option);
        return wrong.getValue().equals(console.environment().get(variable)) ? " (from " + variable + ")" : "";
    }

    private int failed(Exception failure) {
        if (failure instanceof CommandFailure expected) {
            console.warn(expected.getMessage());
            return expected.exitCode();
        }
        if (failure instanceof StoreException unreadable) {
            console.warn(unreadable.getMessage());
            return ExitCodes.UNREACHABLE;
        }
        // The logger is created only here: setting up logging takes longer than most commands run.
        LoggerFactory.getLogger(CommandRunner.class).debug("a command failed unexpectedly", failure);
        console.warn(
                "internal error: " + failure + "\n--log-level=DEBUG shows the stack trace; please report the error");
        return ExitCodes.FATAL;
    }
}
