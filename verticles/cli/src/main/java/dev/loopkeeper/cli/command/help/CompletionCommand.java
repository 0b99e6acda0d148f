package dev.loopkeeper.cli.command.help;

import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The command {@code loopkeeper completion}. */
@Command(
        name = "completion",
        description = "Print a completion script for a shell.",
        footer = {"", "In ~/.bashrc or ~/.zshrc: source <(loopkeeper completion)"})
public final class CompletionCommand implements Callable<Integer> {
    private static final String PROGRAM = "loopkeeper";

    @ParentCommand
    private RootCommand root;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SHELL",
            defaultValue = "bash",
            description = "bash (default) or zsh; both use the same script.")
    @SuppressWarnings("UnusedVariable") // both use the same script
    private Shell shell;

    /** The words of the command line. */
    private enum Shell {
        bash,
        zsh
    }

    @Override
    public Integer call() {
        root.console().print(new CompletionScript(PROGRAM, root.commandLine()).text());
        return ExitCodes.DONE;
    }
}
