package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code loopkeeper completion}. */
@Command(
        name = "completion",
        description = "Print a completion script for a shell.",
        footer = {
            "",
            "bash: source <(loopkeeper completion bash)",
            "zsh:  loopkeeper completion zsh >\"$${fpath[1]}/_loopkeeper\"",
            "fish: loopkeeper completion fish >~/.config/fish/completions/loopkeeper.fish"
        })
public final class CompletionVerb implements Callable<Integer> {
    private static final String PROGRAM = "loopkeeper";

    private final RootCommand root;

    @Parameters(
            paramLabel = "SHELL",
            arity = "0..1",
            description = "bash (default), zsh or fish.",
            defaultValue = "bash")
    private String shell;

    public CompletionVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        CommandLine commands = root.commandLine();
        String script = switch (shell) {
            case "bash" -> new BashCompletion(PROGRAM, commands).script();
            case "zsh" -> new ZshCompletion(PROGRAM, commands).script();
            case "fish" -> new FishCompletion(PROGRAM, commands).script();
            default ->
                throw CommandFailure.refused(
                        "there is no completion for '" + Words.oneLine(shell) + "', only for bash, zsh and fish");
        };
        root.console().print(script);
        return ExitCodes.DONE;
    }
}
