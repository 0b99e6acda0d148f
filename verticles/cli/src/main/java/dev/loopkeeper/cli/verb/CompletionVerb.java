package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import picocli.CommandLine;

/** {@code loopkeeper completion}. */
public final class CompletionVerb implements Verb {
    private static final String PROGRAM = "loopkeeper";

    private final RootCommand root;
    private String shell;

    public CompletionVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(this, "completion", "Print a completion script for a shell.")
                .footer(
                        "",
                        "bash: source <(loopkeeper completion bash)",
                        "zsh:  loopkeeper completion zsh >\"$${fpath[1]}/_loopkeeper\"",
                        "fish: loopkeeper completion fish >~/.config/fish/completions/loopkeeper.fish")
                .optional(0, "SHELL", "bash (default), zsh or fish.")
                .orElse("bash")
                .text(value -> shell = value);
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
