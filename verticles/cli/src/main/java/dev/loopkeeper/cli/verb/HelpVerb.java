package dev.loopkeeper.cli.verb;

import dev.loopkeeper.cli.session.Arguments;
import dev.loopkeeper.cli.session.ExitCodes;
import dev.loopkeeper.cli.session.RootCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code loopkeeper help}: what {@code --help} prints. */
public final class HelpVerb implements Verb {
    private final RootCommand root;
    private String verb;

    public HelpVerb(RootCommand root) {
        this.root = root;
    }

    @Override
    public Arguments arguments() {
        return new Arguments(this, "help", "Show the help of a verb, or the list of all.")
                .optional(0, "VERB", "Which; default the list of all.")
                .offering(() -> Completes.verbs(root.commandLine())
                        .map(CommandLine::getCommandName)
                        .iterator())
                .text(value -> verb = value);
    }

    @Override
    public Integer call() {
        CommandLine all = root.commandLine();
        CommandLine asked = verb == null ? all : all.getSubcommands().get(verb);
        if (asked == null) {
            throw new UnmatchedArgumentException(all, List.of(verb));
        }
        asked.usage(all.getOut());
        return ExitCodes.DONE;
    }
}
