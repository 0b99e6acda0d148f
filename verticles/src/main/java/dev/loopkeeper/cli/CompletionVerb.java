package dev.loopkeeper.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code loopkeeper completion}. */
@Command(
        name = "completion",
        description = "Print a completion script for bash and zsh; use it with: source <(loopkeeper completion)")
final class CompletionVerb implements Callable<Integer> {
    private final RootCommand root;

    CompletionVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        root.console().print(AutoComplete.bash("loopkeeper", root.commandLine()));
        return ExitCodes.DONE;
    }
}
