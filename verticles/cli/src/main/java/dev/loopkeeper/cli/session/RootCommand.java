package dev.loopkeeper.cli.session;

import dev.loopkeeper.cli.print.Console;
import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.data.DataFolder;
import dev.loopkeeper.data.DataFolderException;
import dev.loopkeeper.view.Run;
import dev.loopkeeper.work.Release;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code loopkeeper} itself, with the options that all commands share. */
@Command(
        name = "loopkeeper",
        description = "Runs unattended agent loops, and stops them on command: the whole process tree.",
        versionProvider = RootCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        optionListHeading = "%nOptions of all commands:%n",
        footer = {
            "",
            "Exit codes of run, wait and resume --wait: 0 completed, 1 failed, 2 bad usage, 3 stopped at a limit,",
            "4 paused, 5 safe to retry, 6 stopped by an operator, 7 not reachable, 124 wait timed out.",
            "",
            "More about a command: loopkeeper COMMAND --help"
        })
public final class RootCommand implements Callable<Integer> {
    /** Commands that never ask a server. */
    private static final Set<String> WITHOUT_SERVER = Set.of("serve", "init", "validate", "notify");

    private final Console console;
    private final RootStarter starter;
    private final OptionDefaults defaults;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "Data folder; default $XDG_STATE_HOME/loopkeeper or ~/.local/state/loopkeeper.")
    private Path data;

    @Option(
            names = "--server",
            paramLabel = "URL",
            scope = ScopeType.INHERIT,
            description = "URL of the server to ask; default: the server of the data folder.")
    private String server;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description =
                    "Tokens, one '<token> read|control [name]' per line: a client sends the first, serve requires them.")
    private Path tokenFile;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            scope = ScopeType.INHERIT,
            completionCandidates = Logging.Levels.class,
            description = "TRACE, DEBUG, INFO, WARN, ERROR or OFF; default INFO in serve, else WARN.")
    private String logLevel;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            completionCandidates = Logging.Formats.class,
            description = "text (default), or json for one object per line.")
    private String logFormat;

    private boolean exitsAsRun;

    public RootCommand(Console console, RootStarter starter, OptionDefaults defaults) {
        this.console = console;
        this.starter = starter;
        this.defaults = defaults;
    }

    /** Provides the version of this release. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"loopkeeper " + Release.version()};
        }
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCodes.REFUSED;
    }

    public Console console() {
        return console;
    }

    RootStarter starter() {
        return starter;
    }

    public CommandLine commandLine() {
        return spec.root().commandLine();
    }

    /** Returns the data folder without creating it. */
    public DataFolder dataFolder() {
        if (data != null && data.toString().isBlank()) {
            throw CommandFailure.refused("--data must be a folder, was empty");
        }
        try {
            DataFolder folder =
                    DataFolder.resolve(Optional.ofNullable(data).map(Path::toString), console.environment());
            if (server == null) { // a named server knows the runs; a sandbox names one, and hides the folder
                refuseUnreadable(folder.path());
            }
            return folder;
        } catch (DataFolderException noPath) {
            throw CommandFailure.refused(noPath.getMessage());
        }
    }

    /** Refuses a folder that this user cannot read, as its runs are unknown. */
    private static void refuseUnreadable(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw CommandFailure.refused(folder + " is a file, not a folder; name another with --data");
        }
        boolean hidden = !Files.exists(folder) && !Files.notExists(folder);
        boolean closed = Files.isDirectory(folder) && !(Files.isReadable(folder) && Files.isExecutable(folder));
        if (hidden || closed) {
            throw CommandFailure.refused(
                    folder + " cannot be read by this user; run this as its owner, or name another folder with --data");
        }
    }

    public Optional<String> server() {
        return Optional.ofNullable(server);
    }

    public Optional<Path> tokenFile() {
        return Optional.ofNullable(tokenFile);
    }

    /** Returns the exit code of a followed run and makes it the code of this command. */
    public int exitAs(Run run) {
        exitsAsRun = true;
        return ExitCodes.of(run);
    }

    /** Returns whether the exit code reports the outcome of a run. */
    public boolean exitsAsRun() {
        return exitsAsRun;
    }

    public void configureLogging() {
        Logging.configure(logLevel, logFormat);
    }

    /** Returns the effective settings of a command that takes a configuration file, and the source of each value. */
    public List<Setting> settings(CommandSpec command) {
        return Setting.of(command, console.environment(), defaults.file()).stream()
                .map(each ->
                        each.key().equals("data") ? each.or(dataFolder().path().toString()) : each)
                .toList();
    }

    /** Returns the refusal; if a configuration file set the refused option, the message begins with file and line. */
    public CommandFailure located(CommandFailure refusal, CommandSpec command) {
        for (Setting setting : Setting.of(command, console.environment(), defaults.file())) {
            if (setting.from().equals("file") && refusal.getMessage().startsWith(setting.option() + " ")) {
                String rest = refusal.getMessage().substring(setting.option().length());
                return new CommandFailure(
                        refusal.exitCode(), setting.where().orElseThrow() + ": " + setting.key() + rest);
            }
        }
        return refusal;
    }

    /** Configures logging as {@code serve} needs it. */
    public void logServing() {
        Logging.serving(logLevel, logFormat, Console.errorsAreOnTerminal());
    }

    /**
     * Returns a command line for hints. It adds the data folder if it is not the default one, and the server and its
     * tokens if the command asks a named server.
     */
    public String hint(String command) {
        String name = command.split(" ", 2)[0];
        boolean asks = server != null && !WITHOUT_SERVER.contains(name);
        return Words.quoted(console.program()) + " " + command
                + (data == null ? "" : " --data " + Words.quoted(data.toString()))
                + (asks ? typed(" --server ", "LOOPKEEPER_SERVER", server) : "")
                + (asks && tokenFile != null
                        ? typed(" --token-file ", "LOOPKEEPER_TOKEN_FILE", tokenFile.toString())
                        : "");
    }

    /** Returns the option, or nothing if the next command finds the value in its environment. */
    private String typed(String option, String variable, String value) {
        return value.equals(console.environment().get(variable)) ? "" : option + Words.quoted(value);
    }

    /** Opens the session of one command. */
    public Session open() {
        return new Session(this);
    }
}
