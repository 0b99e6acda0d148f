package dev.loopkeeper.cli.command.help;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.ArrayList;
import java.util.List;
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
    private static final List<String> SHELLS = List.of("bash", "zsh");

    @ParentCommand
    private RootCommand root;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SHELL",
            defaultValue = "bash",
            completionCandidates = CompletionCommand.Shells.class,
            description = "bash (default) or zsh; both use the same script.")
    private String shell;

    /** The names of the shells. */
    static final class Shells extends ArrayList<String> {
        Shells() {
            super(SHELLS);
        }
    }

    @Override
    public Integer call() {
        if (!SHELLS.contains(shell)) {
            throw CommandFailure.refused("there is no completion for '" + Words.oneLine(shell) + "', only for "
                    + String.join(" and ", SHELLS));
        }
        root.console().print(new CompletionScript(PROGRAM, root.commandLine()).text());
        return ExitCodes.DONE;
    }
}
