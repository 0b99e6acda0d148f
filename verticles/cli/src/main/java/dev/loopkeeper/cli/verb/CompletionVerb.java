package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.print.Words;
import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.CommandFailure;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.List;

/** {@code loopkeeper completion}. */
public final class CompletionVerb implements Verb {
    private static final String PROGRAM = "loopkeeper";
    private static final List<String> SHELLS = List.of("bash", "zsh");

    private final RootCommand root;
    private String shell;

    public CompletionVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(this, "completion", "Print a completion script for a shell.")
                .footer("", "In ~/.bashrc or ~/.zshrc: source <(loopkeeper completion)")
                .optional(0, "SHELL", "bash (default) or zsh; both take the same script.")
                .offering(SHELLS)
                .orElse("bash")
                .text(value -> shell = value);
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
