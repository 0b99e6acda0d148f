package dev.loopkeeper.cli;

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
import dev.loopkeeper.cli.verb.CandidatesVerb;
import dev.loopkeeper.cli.verb.CompletionVerb;
import dev.loopkeeper.cli.verb.DiffVerb;
import dev.loopkeeper.cli.verb.DoctorVerb;
import dev.loopkeeper.cli.verb.EndVerb;
import dev.loopkeeper.cli.verb.ExplainVerb;
import dev.loopkeeper.cli.verb.ExportVerb;
import dev.loopkeeper.cli.verb.HelpVerb;
import dev.loopkeeper.cli.verb.ImportVerb;
import dev.loopkeeper.cli.verb.InitVerb;
import dev.loopkeeper.cli.verb.KillVerb;
import dev.loopkeeper.cli.verb.LogsVerb;
import dev.loopkeeper.cli.verb.MergeVerb;
import dev.loopkeeper.cli.verb.NodesVerb;
import dev.loopkeeper.cli.verb.PauseVerb;
import dev.loopkeeper.cli.verb.PruneVerb;
import dev.loopkeeper.cli.verb.PsVerb;
import dev.loopkeeper.cli.verb.ReapVerb;
import dev.loopkeeper.cli.verb.ResumeVerb;
import dev.loopkeeper.cli.verb.RunVerb;
import dev.loopkeeper.cli.verb.RunsVerb;
import dev.loopkeeper.cli.verb.SchemaVerb;
import dev.loopkeeper.cli.verb.ServeVerb;
import dev.loopkeeper.cli.verb.ShowVerb;
import dev.loopkeeper.cli.verb.SignalVerb;
import dev.loopkeeper.cli.verb.StatusVerb;
import dev.loopkeeper.cli.verb.StopVerb;
import dev.loopkeeper.cli.verb.SubmitVerb;
import dev.loopkeeper.cli.verb.TerminationsVerb;
import dev.loopkeeper.cli.verb.ValidateVerb;
import dev.loopkeeper.cli.verb.WaitVerb;
import dev.loopkeeper.cli.verb.WatchVerb;
import dev.loopkeeper.json.NearestName;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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

/** Carries out one command line and answers with its exit code; every failure is one message on the error stream. */
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

    /** The names of the commands in the order of the help. */
    private static final List<String> VERBS =
            Stream.concat(HelpGroups.commands().stream(), Stream.of(HIDDEN)).toList();

    /** They list the others. */
    private static final Set<String> OF_ALL = Set.of("help", "completion", HIDDEN);

    private static final int WIDTH = 100;

    private final Console console;
    private final RootStarter starter;
    /** Whether the exit code is that of a run. */
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
        // Whoever wants to know how the run came out is told.
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
                ? NoThread.refusal("this command needs one more than there are")
                : new CommandFailure(
                        ExitCodes.FATAL,
                        "there is not enough memory (" + none.getMessage()
                                + "); give it more with LOOPKEEPER_JAVA_OPTS=-Xmx1g, and try again");
    }

    /** With the verbs that these arguments may mean, without any with all. */
    CommandLine commandLine(String... arguments) {
        OptionDefaults defaults = new OptionDefaults(console.environment());
        RootCommand root = new RootCommand(console, starter, defaults);
        CommandLine line = new CommandLine(root);
        line.getCommandSpec().addOption(HELP).addOption(VERSION);
        needed(arguments).forEach(name -> line.addSubcommand(verb(name, root)));
        Conversions.addTo(line);
        HelpGroups.addTo(line);
        // A text such as '@alice asks' is a text, not a file of arguments.
        return line.setExpandAtFiles(false)
                .setExecutionStrategy(parsed -> carryOut(root, defaults, parsed))
                .setDefaultValueProvider(defaults)
                .setUsageHelpWidth(WIDTH)
                .setColorScheme(CommandLine.Help.defaultColorScheme(console.coloured() ? Ansi.ON : Ansi.OFF))
                .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setParameterExceptionHandler(this::misused)
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
    }

    /** The same, or where it names a configuration file, the same line again with what that says for defaults. */
    private static ParseResult configured(ParseResult parsed, OptionDefaults defaults) {
        Optional<SettingsFile> named =
                parsed.hasSubcommand() && parsed.subcommand().commandSpec().userObject() instanceof ServeVerb serve
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

    private int carryOut(RootCommand root, OptionDefaults defaults, ParseResult typed) {
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

    /** A switch, so that Java loads only the classes of the verb that is made. */
    private static Object verb(String name, RootCommand root) {
        return switch (name) {
            case "run" -> new RunVerb(root);
            case "serve" -> new ServeVerb(root);
            case "submit" -> new SubmitVerb(root);
            case "runs" -> new RunsVerb(root);
            case "show" -> new ShowVerb(root);
            case "explain" -> new ExplainVerb(root);
            case "logs" -> new LogsVerb(root);
            case "diff" -> new DiffVerb(root);
            case "merge" -> new MergeVerb(root);
            case "watch" -> new WatchVerb(root);
            case "stop" -> new StopVerb(root);
            case "end" -> new EndVerb(root);
            case "pause" -> new PauseVerb(root);
            case "resume" -> new ResumeVerb(root);
            case "wait" -> new WaitVerb(root);
            case "ps" -> new PsVerb(root);
            case "kill" -> new KillVerb(root);
            case "reap" -> new ReapVerb(root);
            case "status" -> new StatusVerb(root);
            case "nodes" -> new NodesVerb(root);
            case "prune" -> new PruneVerb(root);
            case "export" -> new ExportVerb(root);
            case "import" -> new ImportVerb(root);
            case "validate" -> new ValidateVerb(root);
            case "schema" -> new SchemaVerb(root);
            case "init" -> new InitVerb(root);
            case "signal" -> SignalVerb.spec(root);
            case "terminations" -> new TerminationsVerb(root);
            case "doctor" -> new DoctorVerb(root);
            case "help" -> HelpVerb.spec(root);
            case "completion" -> new CompletionVerb(root);
            case "complete-words" -> new CandidatesVerb(root);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** A verb that is typed first is the only one that is made: the options of thirty take longer than what it does. */
    private static List<String> needed(String... arguments) {
        String first = arguments.length == 0 ? "" : arguments[0];
        return VERBS.contains(first) && !OF_ALL.contains(first) ? List.of(first) : VERBS;
    }

    private int misused(ParameterException wrong, String... arguments) {
        console.warn(UsageErrors.of(wrong) + source(wrong));
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String typed = unmatched.getUnmatched().get(0);
            List<String> near = unmatched.getSuggestions().stream()
                    .filter(known -> NearestName.of(typed, List.of(known)).isPresent())
                    .toList();
            if (!near.isEmpty()) {
                console.err().println("did you mean " + String.join(" or ", near) + "?");
            }
        }
        CommandSpec verb = wrong.getCommandLine().getCommandSpec();
        String name = verb.parent() == null ? "" : " " + verb.name();
        console.err().println("try: " + Words.quoted(console.program()) + name + " --help");
        return ExitCodes.REFUSED;
    }

    /** Where the value comes from, if nobody typed it. */
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
        // Asked for only here: making the logging ready takes longer than most commands.
        LoggerFactory.getLogger(CommandRunner.class).debug("a command broke", failure);
        console.warn(
                "something broke that should not: " + failure + "\n--log-level=DEBUG shows where; please report it");
        return ExitCodes.FATAL;
    }
}
